import Foundation
import Testing
import WalletKit
import WalletStore

extension OnScreen {
  @Suite("and its wallet")
  struct WalletPageTests {
    private func opened(_ window: Window) async throws {
      try await window.wait("accounts") { $0["anna"] == "1000.00" && $0["ben"] == "250.00" }
    }

    @Test("a click sends what the form says, the page shows balances and ledger, and the file has it")
    func sends() async throws {
      let window = try Window("--page", "wallet")
      try await opened(window)
      try await window.click("send")
      try await window.wait("accounts") { $0["anna"] == "987.50" && $0["ben"] == "262.50" }
      let ledger = try await window.wait("ledger") { $0["lines"] == "6" }
      #expect(ledger["newest"]?.hasPrefix("12.50 EUR from anna to ben\n6 · ") == true)
      #expect(ledger["newest"]?.hasSuffix(" · anna has 987.50 EUR") == true)
      #expect(try await window.wait("wallet") { $0["state"] == "sent" }["failures"] == "0")
      try await window.screen.hand("key", "ctrl+q")
      #expect(try await window.end() == 0)
      let store = try await SQLiteJournalStore.open(path: window.path("wallet.sqlite"))
      defer { store.close() }
      #expect(try await store.verify().discrepancies == [])
      #expect(try await store.verify().entries == 6)
    }

    @Test("what is refused is said on the page with the next step, and the next transfer goes through")
    func refusals() async throws {
      let window = try Window("--page", "wallet")
      try await opened(window)
      for (text, message) in [
        ("ten", "\"ten\" is not an amount"), ("0", "use an amount above zero"),
        ("400", "pay money in or transfer less"),
        ("600", "over the limit"),
      ] {
        // 400 is from ben, who has not got it.
        if text == "400" {
          try await window.click("sender")
          try await window.screen.hand("key", "Down", "Return")
          try await window.click("recipient")
          try await window.screen.hand("key", "Up", "Return")
        }
        try await window.click("amount")
        try await window.screen.hand("key", "ctrl+a")
        try await window.screen.hand("type", text)
        try await window.screen.hand("key", "Return")
        try await window.wait("wallet") { $0["state"] == "failed" && $0["message"]?.contains(message) == true }
        // Money may come to ben; what the fraud check refused stays refused.
        if text == "400" { try await window.wait("place") { _ in window.newestPlace(of: "try again to send") != nil } }
        if text == "600" { try await window.wait("place") { _ in window.newestPlace(of: "try again to send") == nil } }
      }
      try await window.click("amount")
      try await window.screen.hand("key", "ctrl+a")
      try await window.screen.hand("type", "1")
      try await window.click("send")
      try await window.wait("accounts") { $0["anna"] == "1001.00" && $0["ben"] == "249.00" }
    }

    @Test("a wallet that another process has is said on the page, and opened when that has ended")
    func locked() async throws {
      let begun = try Window("--page", "wallet")
      try await opened(begun)
      let window = try Window("--page", "wallet", in: begun.folder)
      let line = try await window.wait("wallet") { $0["state"] == "closed" }
      #expect(line["message"]?.contains("wallet.sqlite is in use by another process") == true)
      begun.kill()
      try await window.click("try again to send")
      try await opened(window)
    }

    @Test("with the work on the main actor the same happens, and the disk is waited for there")
    func onMain() async throws {
      let window = try Window("--page", "wallet", "--on-main")
      try await opened(window)
      try await window.click("send")
      try await window.wait("accounts") { $0["anna"] == "987.50" }
      try await window.wait("wallet") { $0["state"] == "sent" }
    }
  }
}
