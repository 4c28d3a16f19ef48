import Catalogue
import CatalogueMaker
import Foundation
import Testing

@testable import Catalogue

@Suite("The form in which text is compared", .timeLimit(.minutes(30)))
struct SearchTextTests {
  @Test(
    "case, diacritics and white space do not count",
    arguments: [
      ("Actors", "actors"), ("  The   MAIN\tactor\n", "the main actor"), ("Café", "cafe"), ("Cafe\u{301}", "cafe"),
      ("ÅNGSTRÖM", "angstrom"), ("Dvořák", "dvorak"), ("İstanbul", "istanbul"), ("Straße", "strasse"),
      ("STRASSE", "strasse"), ("Ǖ", "u"), ("a\u{A0}b", "a b"), ("a\u{2003}é", "a e"), ("Αθήνα", "αθηνα"),
      ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("Σίσυφος", "σισυφοσ"), ("Київ", "київ".precomposedStringWithCanonicalMapping),
      ("東京", "東京"), ("“Naïve”", "“naive”"), ("", ""), (" \n ", ""), ("\u{301}", ""), ("\u{301}é", "e"),
      ("a\u{0}b", "ab"), ("x\u{0} é", "x e"),
    ])
  func folds(text: String, form: String) {
    // Cyrillic й and ї decompose, and Foundation folds them as it folds é.
    let expected = SearchText.foldedAnyScript(form)
    #expect(SearchText.folded(text) == expected)
    #expect(SearchText.folded(form) == expected)
  }

  @Test(
    "letters that are not a letter with a mark keep their identity", arguments: ["ø", "ł", "đ", "ı", "æ", "が", "한"])
  func keeps(letter: String) {
    #expect(SearchText.folded(letter) == letter)
  }

  @Test("folding twice is folding once, and the quick way folds as Foundation does, for every Latin scalar")
  func everyLatinScalar() {
    for value in 0..<UInt32(0x250) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "x" + String(Character(scalar)) + "y"
      let folded = SearchText.folded(text)
      #expect(folded == SearchText.foldedAnyScript(text), "U+\(String(value, radix: 16))")
      #expect(folded == SearchText.folded(folded), "U+\(String(value, radix: 16))")
    }
  }

  @Test("the quick way folds as Foundation does, for every made title")
  func everyTitle() {
    for article in CatalogueMaker(count: 5000, seed: 7).articles() {
      #expect(SearchText.folded(article.title) == SearchText.foldedAnyScript(article.title))
    }
  }

  @Test(
    "user names have one form",
    arguments: [
      ("@Zoë Ågren ", "zoe.agren"), ("zoe.agren", "zoe.agren"), ("ZOE_1-x", "zoe_1-x"), ("Ó Briain", "o.briain"),
      ("a, b & c!", "a.b.c"), ("@", ""), ("  ", ""), ("Seán O'Neill", "sean.oneill"),
    ])
  func usernames(name: String, form: String) {
    #expect(UserName.normalized(name) == form)
    #expect(UserName.normalized(form) == form)
  }
}
