/// Accounts, a form for transfers, and the ledger, on a wallet in SQLite.
import CAdwaita
import Foundation
import WalletKit
import WalletPage

final class WalletWindowPage: Page {
  static let name = "wallet"
  static let title = "Wallet"
  static let icon = "send-to-symbolic"
  static let options = [wallet]
  private static let wallet = PageOption(
    "--wallet", "FILE", "where the wallet is kept", fallback: "Examples/Data/wallet.sqlite")
  let explanation =
    "On: each commit waits for the disk on the main actor. Off: the wallet's domain and its disk do not."
  let widget: Widget
  var frameListener: (any FrameListener)? { self }
  var worksOnMain = false {
    didSet { wallet?.journal.waitsOnMain = worksOnMain }
  }

  private var model: WalletViewModel?
  private var wallet: OpenedWallet?
  /// Of the wallet's file.
  private let path: String
  private let accounts = gallery_list()
  private let ledger = gallery_list()
  /// What the ledger scrolls in.
  private let book: Widget
  private var accountRows = ShownRows()
  private var ledgerRows = ShownRows()
  private var ledgerTexts: [LedgerEntry: String] = [:]
  private let amount = gallery_entry("Amount", "12.50")
  private let sender = withCStrings([]) { gallery_dropdown($0) }
  private let recipient = withCStrings([]) { gallery_dropdown($0) }
  private let send = gallery_button("Send")
  private let outcome = StatusLine(called: "what became of the transfer")
  private let retry = gallery_button("Try again")
  /// The accounts in both lists of choices, in their order.
  private var names: [String] = []

  init(_ surroundings: PageSurroundings) {
    path = surroundings.options[Self.wallet]
    let (from, to) = (gallery_words("from"), gallery_words("to"))
    for dropdown in [sender, recipient] { gallery_dropdown_shrinks(dropdown, 75) }
    gallery_expand(amount, 1, 0)
    gallery_size(amount, 120, -1)
    let form = Box.lines().holding(
      amount, Box.row().holding(from, sender, to, recipient), send.styled("suggested-action"))
    let answer = Box.row().holding(outcome.widget, retry)
    book = gallery_scrolled(ledger)
    gallery_expand(book, 1, 1)
    let left = Box.column().holding(gallery_label("Accounts", 0).styled("heading"), gallery_scrolled(accounts))
    gallery_size(left, 190, 130)
    let right = Box.column(spacing: 12).holding(
      gallery_label("Transfer", 0).styled("heading"), form, answer,
      gallery_label("Ledger, the newest \(WalletViewModel.shownLines) lines", 0).styled("heading"), book)
    gallery_expand(right, 1, 1)
    gallery_size(right, 430, -1)
    gallery_size(book, -1, 100)
    let both = Box.lines(spacing: 24).holding(left, right)
    gallery_margins(both, 16, 16, 16)
    widget = gallery_scrolled(both)
    accounts.called("accounts")
    ledger.called("ledger")
    amount.called("amount")
    sender.called("sender")
    recipient.called("recipient")
    send.called("send")
    retry.called("try again to send")
    gallery_visible(retry, 0)
    gallery_sensitive(form, 0)
    self.form = form
    send.on("clicked") { [weak self] in self?.sendTapped() }
    amount.on("activate") { [weak self] in self?.sendTapped() }
    retry.on("clicked") { [weak self] in self?.retryTapped() }
  }
  private let form: Widget

  /// Opens the wallet when it is first looked at: no other process can use the file from then on.
  func appear() {
    gallery_focus(amount)
    openWallet()
  }

  func close() async {
    await model?.settle()
    wallet?.close()
  }

  private func openWallet() {
    guard opening == nil, model == nil else { return }
    opening = Task { [weak self, path] in
      do {
        let wallet = try await OpenedWallet.open(path)
        guard let self, model == nil else { return wallet.close() }
        begin(wallet)
      } catch {
        self?.say("\(error)", isError: true, canRetry: true)
        Trace.note("wallet", ["state": "closed", "message": "\(error)"])
      }
      self?.opening = nil
    }
  }
  private var opening: Task<Void, Never>?

  private func begin(_ wallet: OpenedWallet) {
    self.wallet = wallet
    wallet.journal.waitsOnMain = worksOnMain
    let model = WalletViewModel(store: wallet.service, desk: wallet.desk)
    self.model = model
    say("", isError: false, canRetry: false)
    gallery_sensitive(form, 1)
    follow { [weak self] in
      _ = (model.accounts, model.ledger)
      self?.isStale = true
    }
    follow { [weak self] in self?.showOutcome(of: model) }
    Task { await model.refresh() }
  }

  private func sendTapped() {
    guard let model, gallery_is_sensitive(form) != 0 else { return }
    model.sendTapped(
      amount: String(cString: gallery_text(amount)), from: choice(of: sender), to: choice(of: recipient))
  }

  private func retryTapped() {
    if let model { model.retryTapped() } else { openWallet() }
  }

  private func choice(of dropdown: Widget) -> String {
    let place = Int(gallery_dropdown_choice(dropdown))
    return names.indices.contains(place) ? names[place] : ""
  }

  /// Shows accounts and ledger as they are now: for each answer they would be laid out many times a frame.
  private func showBook() {
    guard isStale, let model, gtk_widget_get_mapped(widget) != 0 else { return }
    isStale = false
    showAccounts(of: model)
    showLedger(of: model)
  }
  private var isStale = false

  private func showAccounts(of model: WalletViewModel) {
    accountRows.show(model.accounts.map { "\($0.account)\n\($0.balance)" }, in: accounts)
    let names = model.accounts.map(\.account.name)
    if names != self.names {
      self.names = names
      for dropdown in [sender, recipient] { withCStrings(names) { gallery_dropdown_offer(dropdown, $0) } }
      if names.count > 1 { gallery_dropdown_choose(recipient, 1) }
    }
    Trace.note(
      "accounts", Dictionary(uniqueKeysWithValues: model.accounts.map { ($0.account.name, $0.balance.number) }))
  }

  /// A new line takes the toolkit about 3 ms to lay out and draw: more of them follow in the next frames.
  private static let linesPerFrame = 2

  private func showLedger(of model: WalletViewModel) {
    let isAtTop = gallery_scrolled_to(book) < 1
    var texts: [LedgerEntry: String] = [:]
    for entry in model.ledger { texts[entry] = ledgerTexts[entry] ?? Self.lines(entry) }
    ledgerTexts = texts
    let newest = model.ledger.reversed().compactMap { texts[$0] }
    let next = PacedLines.next(after: ledgerRows.rows, towards: newest, atMost: Self.linesPerFrame)
    isStale = next != newest
    ledgerRows.show(next, in: ledger)
    // A list stays with the row that it shows; whoever looks at the newest wants to go on doing so.
    if isAtTop { gallery_list_keep(ledger, 0) }
    Trace.note("ledger", ["newest": next.first ?? "", "lines": "\(next.count)"])
  }

  private func showOutcome(of model: WalletViewModel) {
    var trace = ["sending": "\(model.sending)", "failures": "\(model.failures)"]
    switch model.outcome {
    case _ where model.sending > 0:
      say("Sending …", isError: false, canRetry: false)
      trace["state"] = "sending"
    case .none:
      say("", isError: false, canRetry: false)
      trace["state"] = "open"
    case .sent(let entry):
      say(
        "Done: line \(entry.number) of the ledger. The sender has \(entry.balance) left.", isError: false,
        canRetry: false)
      trace["state"] = "sent"
    case .failed(let message):
      say(message, isError: true, canRetry: model.canRetry)
      trace["state"] = "failed"
      trace["message"] = message
    }
    Trace.note("wallet", trace)
  }

  private func say(_ text: String, isError: Bool, canRetry: Bool) {
    if isError { outcome.say(problem: text) } else { outcome.say(text) }
    gallery_visible(retry, canRetry ? 1 : 0)
  }

  /// A line of the ledger: what happened, and beneath it the rest.
  private nonisolated static func lines(_ entry: LedgerEntry) -> String {
    let time = Date(timeIntervalSince1970: TimeInterval(entry.recordedAt)).formatted(.iso8601)
    let (what, whose): (String, String) =
      switch entry.request {
      case .open(let account, let currency): ("\(account) opened in \(currency)", "\(account)")
      case .deposit(let amount, let account): ("\(amount) paid in to \(account)", "\(account)")
      case .transfer(let transfer):
        ("\(transfer.amount) from \(transfer.sender) to \(transfer.recipient)", "\(transfer.sender)")
      }
    return "\(what)\n\(entry.number) · \(time) · \(whose) has \(entry.balance)"
  }

  func prepare() async {
    openWallet()
    await opening?.value
    await model?.refresh()
  }

  /// Sends a hundred transfers as a person does, through the form: each waits for its receipt, and for the page to show it.
  func act() async {
    guard let model else { return }
    for number in 0..<100 {
      gallery_set_text(amount, "0.01")
      gallery_dropdown_choose(sender, number % 2 == 0 ? 0 : 1)
      gallery_dropdown_choose(recipient, number % 2 == 0 ? 1 : 0)
      sendTapped()
      await model.settle()
    }
  }
}

extension WalletWindowPage: @MainActor FrameListener {
  /// What came since the last frame is shown with this one.
  func frameBegan(at time: Int64, interval: Int64) {
    showBook()
  }
}

/// The rows that a list shows. A transfer changes two or three of them: making the others anew would take longer than a
/// frame.
private struct ShownRows {
  private(set) var rows: [String] = []

  /// Rows that go or come side by side are one change of the list: it is laid out at each.
  mutating func show(_ newer: [String], in list: Widget) {
    let change = newer.difference(from: rows)
    var gone = change.removals.map(\.offset)
    while let last = gone.popLast() {
      var first = last
      while gone.last == first - 1 { first = gone.removeLast() }
      withCStrings([]) { gallery_list_splice(list, UInt32(first), UInt32(last - first + 1), $0) }
    }
    var come = change.insertions.map(\.offset)[...]
    while let first = come.popFirst() {
      var end = first + 1
      while come.first == end {
        come.removeFirst()
        end += 1
      }
      withCStrings(Array(newer[first..<end])) { gallery_list_splice(list, UInt32(first), 0, $0) }
    }
    rows = newer
  }
}

extension CollectionDifference.Change {
  nonisolated fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
