/// One article of the catalogue, as the JSON file and the server send it.
public struct Article: Codable, Equatable, Identifiable, Sendable {
  public let id: Int
  public let title: String
  /// The author's name as readers see it: `Zoë Ågren`.
  public let author: String
  public let summary: String
  public let tags: [String]
  public let published: PublicationDay
  /// What the article's picture is drawn from, so that pictures need no files.
  public let imageSeed: UInt32

  public init(
    id: Int, title: String, author: String, summary: String, tags: [String],
    published: PublicationDay, imageSeed: UInt32
  ) {
    self.id = id
    self.title = title
    self.author = author
    self.summary = summary
    self.tags = tags
    self.published = published
    self.imageSeed = imageSeed
  }
  /// The author's name in queries such as `@zoe.agren`.
  public var username: String {
    UserName.normalized(author)
  }
}
