// Another domain cannot look at the journal.
import Mainstay

@MainActor func look(_ bank: Bank) {
  _ = bank.journal.count  // expect: property 'journal' can not be referenced from the main actor
}
