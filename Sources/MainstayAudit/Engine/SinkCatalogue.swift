/// The calls that are known to be heavy or blocking: data, one line each, extended by the configuration.
import MainstayFindings

struct SinkCatalogue: Sendable {
  private let byBase: [String: [Sink]]
  private let byCName: [String: Sink]
  private let configured: [Sink]
  private let excluded: [CalleePattern]

  init(_ configuration: Configuration) {
    var byBase: [String: [Sink]] = [:]
    var byCName: [String: Sink] = [:]
    for (name, sink) in SinkCatalogue.entries() {
      if name.hasPrefix("c:") {
        byCName[String(name.dropFirst(2))] = sink
      } else {
        byBase[String(name.prefix { $0 != "(" }), default: []].append(sink)
      }
    }
    self.byBase = byBase
    self.byCName = byCName
    func own(_ names: [String], _ category: Sink.Category) -> [Sink] {
      names.map {
        Sink(
          pattern: CalleePattern($0), category: category, condition: .always, confidence: .high,
          reason: "the configuration says that it is \(category.rawValue)")
      }
    }
    configured = own(configuration.blocking, .blocking) + own(configuration.heavy, .heavy)
    excluded = configuration.nonblocking.map { CalleePattern($0) }
  }

  /// The sink that a call is, or nil. `hasBody` says that the callee is analysed itself.
  func sink(for call: Call, hasBody: Bool) -> Sink? {
    if excluded.contains(where: { $0.matches(call) }) { return nil }
    if let sink = configured.first(where: { $0.pattern.matches(call) }) { return sink }
    if hasBody || call.suspends { return nil }
    if let name = call.cName { return byCName[name] }
    let base = String(CalleePattern.normalised(call.display).prefix { $0 != "(" })
    return byBase[base]?.first { $0.pattern.matches(call) }
  }

  /// The table's entries. A line that begins a kind has a colon after its third word; the others hold names.
  static func entries() -> [(name: String, sink: Sink)] {
    var entries: [(String, Sink)] = []
    var kind: (category: Sink.Category, condition: Sink.Condition, confidence: Confidence, reason: String)?
    for line in table.split(separator: "\n") where !line.hasPrefix("#") {
      if !line.hasPrefix(" "), let colon = line.firstRange(of: ": ") {
        let words = line[..<colon.lowerBound].split(separator: " ").map(String.init)
        guard words.count == 3, let category = Sink.Category(rawValue: words[0]),
          let condition = Sink.Condition(rawValue: words[1]), let confidence = Confidence(rawValue: words[2])
        else { preconditionFailure("the sink catalogue's line '\(line)' is no kind") }
        kind = (category, condition, confidence, String(line[colon.upperBound...]))
      } else if let kind {
        for name in line.split(separator: " ").map(String.init) {
          entries.append(
            (
              name,
              Sink(
                pattern: CalleePattern(name), category: kind.category, condition: kind.condition,
                confidence: kind.confidence, reason: kind.reason)
            ))
        }
      }
    }
    return entries
  }

  /// Category, condition, confidence and reason, then the calls of that kind, one or more a line.
  private static let table = """
    # Foundation: files and URLs.
    heavy always high: it reads a whole file or URL
      Data.init(contentsOf:options:) Data.init(contentsOf:) Data.init(contentsOfFile:options:)
      NSData.init(contentsOf:) NSData.init(contentsOf:options:) NSData.init(contentsOfFile:)
      NSData.init(contentsOfFile:options:) String.init(contentsOf:) String.init(contentsOf:encoding:)
      String.init(contentsOf:usedEncoding:) String.init(contentsOfFile:) String.init(contentsOfFile:encoding:)
      String.init(contentsOfFile:usedEncoding:) NSString.init(contentsOfFile:encoding:)
      NSString.init(contentsOf:encoding:) NSArray.init(contentsOf:) NSArray.init(contentsOfFile:)
      NSDictionary.init(contentsOf:) NSDictionary.init(contentsOfFile:) FileManager.contents(atPath:)
      FileManager.contents FileManager.contentsEqual
    heavy always high: it writes a file
      Data.write(to:options:) Data.write(to:) NSData.write NSString.write
      StringProtocol.write(to:atomically:encoding:) StringProtocol.write(toFile:atomically:encoding:)
      String.write(to:atomically:encoding:) String.write(toFile:atomically:encoding:) FileManager.createFile
      OutputStream.write
    heavy openFile high: it writes a file
      FileHandle.write
    heavy always high: it walks a directory
      FileManager.contentsOfDirectory FileManager.enumerator FileManager.subpaths
      FileManager.subpathsOfDirectory
    heavy always high: it copies files
      FileManager.copyItem
    heavy always high: it moves files
      FileManager.moveItem
    heavy always high: it removes a tree of files
      FileManager.removeItem
    heavy always high: it replaces files
      FileManager.replaceItemAt
    blocking always high: it reads until the other side closes
      FileHandle.readDataToEndOfFile FileHandle.readToEnd
    blocking always high: it waits for bytes
      FileHandle.readData FileHandle.read(upToCount:) FileHandle.read FileHandle.availableData.getter
      InputStream.read
    heavy always high: it waits for a device or a peer
      FileHandle.synchronize FileHandle.synchronizeFile
    # Foundation: coding.
    heavy inputGrows high: decoding grows with its input
      JSONDecoder.decode JSONSerialization.jsonObject PropertyListDecoder.decode
      PropertyListSerialization.propertyList NSKeyedUnarchiver.unarchiveObject
      NSKeyedUnarchiver.unarchivedObject NSKeyedUnarchiver.unarchiveTopLevelObjectWithData
    heavy inputGrows medium: encoding grows with its input
      JSONEncoder.encode JSONSerialization.data PropertyListEncoder.encode PropertyListSerialization.data
      NSKeyedArchiver.archivedData
    heavy always high: decoding grows with its input
      NSKeyedUnarchiver.decodeObject
    heavy always high: parsing grows with its input
      XMLParser.parse
    heavy inputGrows high: parsing grows with its input
      XMLDocument.init
    heavy always high: it lays out a document
      NSAttributedString.init(data:options:documentAttributes:)
    heavy eachTime medium: it compiles a regular expression
      NSRegularExpression.init(pattern:options:) NSRegularExpression.init NSDataDetector.init Regex.init(_:)
      Regex.init(_:as:)
    # Images and models of Apple's frameworks.
    heavy always high: image work grows with the picture
      UIImage.init(data:) UIImage.init(data:scale:) UIImage.init(contentsOfFile:) UIImage.jpegData
      UIImage.pngData UIImage.preparingForDisplay UIImage.preparingThumbnail UIGraphicsImageRenderer.image
      NSImage.init(data:) NSImage.init(contentsOf:) NSImage.init(contentsOfFile:) CIContext.createCGImage
      CIContext.render NSBitmapImageRep.representation AVAssetImageGenerator.copyCGImage
      c:CGImageSourceCreateImageAtIndex c:CGImageSourceCreateThumbnailAtIndex
    heavy always high: it runs a vision request
      VNImageRequestHandler.perform
    heavy always high: it runs a model
      MLModel.prediction
    heavy always high: it loads a model
      MLModel.init
    heavy always high: it analyses text
      NLTagger.enumerateTags
    heavy always high: it reads a whole file or URL
      PDFDocument.init AVAudioFile.read
    heavy always high: it waits for the database
      NSManagedObjectContext.fetch NSManagedObjectContext.save NSManagedObjectContext.count ModelContext.fetch
      ModelContext.fetchCount
    blocking always high: it waits for somebody else
      NSManagedObjectContext.performAndWait
    heavy always medium: it waits for the database
      ModelContext.save
    # Hashing.
    heavy inputGrows medium: hashing grows with its input
      SHA256.hash SHA384.hash SHA512.hash HashFunction.hash
    # Processes, threads and run loops.
    blocking always high: it waits until another program ends
      Process.waitUntilExit
    blocking refusedInAsync high: it sleeps
      Thread.sleep NSThread.sleep
    blocking refusedInAsync high: it waits for somebody else
      NSCondition.wait NSConditionLock.lock(whenCondition:)
    blocking heldLock high: the lock is not let go before the job ends, and whoever wants it waits
      NSLock.lock NSRecursiveLock.lock NSCondition.lock c:pthread_mutex_lock
      c:pthread_rwlock_wrlock c:pthread_rwlock_rdlock c:os_unfair_lock_lock
    blocking refusedInAsync high: it runs a loop until that ends
      RunLoop.run
    blocking always high: it runs a loop until that ends
      CFRunLoopRun
    blocking always high: it waits for somebody else
      OperationQueue.waitUntilAllOperationsAreFinished Operation.waitUntilFinished
    blocking always high: it waits for the network
      URLSession.sendSynchronousRequest NSURLConnection.sendSynchronousRequest Host.init
    blocking always high: it waits for a line of input
      readLine
    blocking toldToWait high: it waits for somebody else
      OperationQueue.addOperations
    # Dispatch.
    blocking always high: it waits for somebody else
      DispatchSemaphore.wait OS_dispatch_semaphore.wait DispatchGroup.wait OS_dispatch_group.wait
      DispatchWorkItem.wait
    blocking queueSync high: it waits for a queue
      DispatchQueue.sync OS_dispatch_queue.sync DispatchQueue.asyncAndWait
    # C: time, files, sockets, processes.
    blocking always high: it sleeps
      c:sleep c:usleep c:nanosleep c:clock_nanosleep
    blocking always high: it waits for somebody else
      c:pause c:lockf c:sem_wait c:sem_timedwait c:pthread_join c:pthread_cond_wait
      c:pthread_cond_timedwait
    blocking fileLock high: it waits for somebody else
      c:flock
    blocking descriptor high: it waits for a device or a peer
      c:poll c:ppoll c:select c:pselect c:epoll_wait c:kevent
    blocking descriptor high: it waits for the network
      c:recv c:recvfrom c:recvmsg c:accept c:accept4 c:connect c:getaddrinfo c:gethostbyname c:getnameinfo
    blocking always high: it waits until another program ends
      c:wait c:waitpid c:system c:pclose
    heavy always high: it starts another program
      c:popen
    blocking always high: it waits for the disk
      c:fsync c:fdatasync c:sync
    heavy always high: it reads a file or a device
      c:read c:pread c:fread c:fgets c:getline
    blocking always high: it waits for a line of input
      c:scanf
    heavy always high: it walks a directory
      c:opendir c:scandir c:nftw c:ftw c:glob
    # Databases with a C interface.
    heavy always high: it waits for the database
      c:sqlite3_step c:sqlite3_exec c:sqlite3_open c:sqlite3_open_v2 c:sqlite3_backup_step
      c:sqlite3_wal_checkpoint_v2 c:sqlite3_get_table
    blocking always high: it waits for the database
      c:PQexec c:PQexecParams c:PQexecPrepared c:PQconnectdb c:PQgetResult c:PQprepare c:mysql_query
      c:mysql_real_query c:mysql_store_result c:mysql_real_connect
    blocking always high: it waits for the network
      c:curl_easy_perform
    """
}
