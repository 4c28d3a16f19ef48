// Swift has no type that is generic over the global actor it belongs to, which is why a journal is not isolated.
final class DomainJournal<Domain: GlobalActor> {
  @Domain func perform() {}  // expect: unknown attribute 'Domain'
}
