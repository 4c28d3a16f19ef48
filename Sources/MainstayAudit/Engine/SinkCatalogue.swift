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
    for line in SinkCatalogue.lines {
      let sink = Sink(
        pattern: CalleePattern(line.name), category: line.category, condition: line.condition,
        confidence: line.confidence, reason: line.reason)
      if line.name.hasPrefix("c:") {
        byCName[String(line.name.dropFirst(2))] = sink
      } else {
        byBase[String(line.name.prefix { $0 != "(" }), default: []].append(sink)
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

  private struct Line {
    var name: String
    var category: Sink.Category
    var reason: String
    var condition: Sink.Condition
    var confidence: Confidence

    init(
      _ name: String, _ category: Sink.Category, _ reason: String, _ condition: Sink.Condition = .always,
      _ confidence: Confidence = .high
    ) {
      self.name = name
      self.category = category
      self.reason = reason
      self.condition = condition
      self.confidence = confidence
    }
  }

  private static let reads = "it reads a whole file or URL"
  private static let writes = "it writes a file"
  private static let walks = "it walks a directory"
  private static let decodes = "decoding grows with its input"
  private static let encodes = "encoding grows with its input"
  private static let images = "image work grows with the picture"
  private static let waits = "it waits for somebody else"
  private static let sleeps = "it sleeps"
  private static let network = "it waits for the network"
  private static let database = "it waits for the database"
  private static let regex = "it compiles a regular expression"
  private static let device = "it waits for a device or a peer"

  private static let lines: [Line] = [
    // Foundation: files and URLs.
    Line("Data.init(contentsOf:options:)", .heavy, reads), Line("Data.init(contentsOf:)", .heavy, reads),
    Line("Data.init(contentsOfFile:options:)", .heavy, reads),
    Line("NSData.init(contentsOf:)", .heavy, reads), Line("NSData.init(contentsOf:options:)", .heavy, reads),
    Line("NSData.init(contentsOfFile:)", .heavy, reads), Line("NSData.init(contentsOfFile:options:)", .heavy, reads),
    Line("String.init(contentsOf:)", .heavy, reads), Line("String.init(contentsOf:encoding:)", .heavy, reads),
    Line("String.init(contentsOf:usedEncoding:)", .heavy, reads),
    Line("String.init(contentsOfFile:)", .heavy, reads), Line("String.init(contentsOfFile:encoding:)", .heavy, reads),
    Line("String.init(contentsOfFile:usedEncoding:)", .heavy, reads),
    Line("NSString.init(contentsOfFile:encoding:)", .heavy, reads),
    Line("NSString.init(contentsOf:encoding:)", .heavy, reads),
    Line("NSArray.init(contentsOf:)", .heavy, reads), Line("NSArray.init(contentsOfFile:)", .heavy, reads),
    Line("NSDictionary.init(contentsOf:)", .heavy, reads), Line("NSDictionary.init(contentsOfFile:)", .heavy, reads),
    Line("Data.write(to:options:)", .heavy, writes), Line("Data.write(to:)", .heavy, writes),
    Line("NSData.write", .heavy, writes), Line("NSString.write", .heavy, writes),
    Line("StringProtocol.write(to:atomically:encoding:)", .heavy, writes),
    Line("StringProtocol.write(toFile:atomically:encoding:)", .heavy, writes),
    Line("String.write(to:atomically:encoding:)", .heavy, writes),
    Line("String.write(toFile:atomically:encoding:)", .heavy, writes),
    Line("FileManager.contents(atPath:)", .heavy, reads), Line("FileManager.contents", .heavy, reads),
    Line("FileManager.contentsEqual", .heavy, reads), Line("FileManager.createFile", .heavy, writes),
    Line("FileManager.contentsOfDirectory", .heavy, walks), Line("FileManager.enumerator", .heavy, walks),
    Line("FileManager.subpaths", .heavy, walks), Line("FileManager.subpathsOfDirectory", .heavy, walks),
    Line("FileManager.copyItem", .heavy, "it copies files"), Line("FileManager.moveItem", .heavy, "it moves files"),
    Line("FileManager.removeItem", .heavy, "it removes a tree of files"),
    Line("FileManager.replaceItemAt", .heavy, "it replaces files"),
    Line("FileHandle.readDataToEndOfFile", .blocking, "it reads until the other side closes"),
    Line("FileHandle.readToEnd", .blocking, "it reads until the other side closes"),
    Line("FileHandle.readData", .blocking, "it waits for bytes"),
    Line("FileHandle.read(upToCount:)", .blocking, "it waits for bytes"),
    Line("FileHandle.read", .blocking, "it waits for bytes"),
    Line("FileHandle.availableData.getter", .blocking, "it waits for bytes"),
    Line("FileHandle.write", .heavy, writes), Line("FileHandle.synchronize", .heavy, device),
    Line("FileHandle.synchronizeFile", .heavy, device),
    Line("InputStream.read", .blocking, "it waits for bytes"),
    Line("OutputStream.write", .heavy, writes),
    // Foundation: coding.
    Line("JSONDecoder.decode", .heavy, decodes, .inputGrows),
    Line("JSONSerialization.jsonObject", .heavy, decodes, .inputGrows),
    Line("JSONEncoder.encode", .heavy, encodes, .inputGrows, .medium),
    Line("JSONSerialization.data", .heavy, encodes, .inputGrows, .medium),
    Line("PropertyListDecoder.decode", .heavy, decodes, .inputGrows),
    Line("PropertyListEncoder.encode", .heavy, encodes, .inputGrows, .medium),
    Line("PropertyListSerialization.propertyList", .heavy, decodes, .inputGrows),
    Line("PropertyListSerialization.data", .heavy, encodes, .inputGrows, .medium),
    Line("NSKeyedUnarchiver.unarchiveObject", .heavy, decodes, .inputGrows),
    Line("NSKeyedUnarchiver.unarchivedObject", .heavy, decodes, .inputGrows),
    Line("NSKeyedUnarchiver.unarchiveTopLevelObjectWithData", .heavy, decodes, .inputGrows),
    Line("NSKeyedUnarchiver.decodeObject", .heavy, decodes),
    Line("NSKeyedArchiver.archivedData", .heavy, encodes, .inputGrows, .medium),
    Line("XMLParser.parse", .heavy, "parsing grows with its input"),
    Line("XMLDocument.init", .heavy, "parsing grows with its input", .inputGrows),
    Line("NSAttributedString.init(data:options:documentAttributes:)", .heavy, "it lays out a document"),
    Line("NSRegularExpression.init(pattern:options:)", .heavy, regex, .always, .medium),
    Line("NSRegularExpression.init", .heavy, regex, .always, .medium),
    Line("NSDataDetector.init", .heavy, regex, .always, .medium),
    Line("Regex.init(_:)", .heavy, regex, .always, .medium),
    Line("Regex.init(_:as:)", .heavy, regex, .always, .medium),
    // Images and models of Apple's frameworks.
    Line("UIImage.init(data:)", .heavy, images), Line("UIImage.init(data:scale:)", .heavy, images),
    Line("UIImage.init(contentsOfFile:)", .heavy, images), Line("UIImage.jpegData", .heavy, images),
    Line("UIImage.pngData", .heavy, images), Line("UIImage.preparingForDisplay", .heavy, images),
    Line("UIImage.preparingThumbnail", .heavy, images), Line("UIGraphicsImageRenderer.image", .heavy, images),
    Line("NSImage.init(data:)", .heavy, images), Line("NSImage.init(contentsOf:)", .heavy, images),
    Line("NSImage.init(contentsOfFile:)", .heavy, images), Line("CIContext.createCGImage", .heavy, images),
    Line("CIContext.render", .heavy, images), Line("NSBitmapImageRep.representation", .heavy, images),
    Line("VNImageRequestHandler.perform", .heavy, "it runs a vision request"),
    Line("MLModel.prediction", .heavy, "it runs a model"), Line("MLModel.init", .heavy, "it loads a model"),
    Line("NLTagger.enumerateTags", .heavy, "it analyses text"), Line("PDFDocument.init", .heavy, reads),
    Line("AVAudioFile.read", .heavy, reads), Line("AVAssetImageGenerator.copyCGImage", .heavy, images),
    Line("c:CGImageSourceCreateImageAtIndex", .heavy, images),
    Line("c:CGImageSourceCreateThumbnailAtIndex", .heavy, images),
    Line("NSManagedObjectContext.fetch", .heavy, database), Line("NSManagedObjectContext.save", .heavy, database),
    Line("NSManagedObjectContext.count", .heavy, database),
    Line("NSManagedObjectContext.performAndWait", .blocking, waits),
    Line("ModelContext.fetch", .heavy, database), Line("ModelContext.save", .heavy, database, .always, .medium),
    Line("ModelContext.fetchCount", .heavy, database),
    // Hashing.
    Line("SHA256.hash", .heavy, "hashing grows with its input", .inputGrows, .medium),
    Line("SHA384.hash", .heavy, "hashing grows with its input", .inputGrows, .medium),
    Line("SHA512.hash", .heavy, "hashing grows with its input", .inputGrows, .medium),
    Line("HashFunction.hash", .heavy, "hashing grows with its input", .inputGrows, .medium),
    // Processes, threads and run loops.
    Line("Process.waitUntilExit", .blocking, "it waits until another program ends"),
    Line("Thread.sleep", .blocking, sleeps, .refusedInAsync), Line("NSThread.sleep", .blocking, sleeps, .refusedInAsync),
    Line("NSCondition.wait", .blocking, waits, .refusedInAsync),
    Line("NSConditionLock.lock", .blocking, waits, .refusedInAsync),
    Line("NSLock.lock", .blocking, "it takes a lock that it does not release", .unreleased, .low),
    Line("NSRecursiveLock.lock", .blocking, "it takes a lock that it does not release", .unreleased, .low),
    Line("RunLoop.run", .blocking, "it runs a loop until that ends", .refusedInAsync),
    Line("CFRunLoopRun", .blocking, "it runs a loop until that ends"),
    Line("OperationQueue.waitUntilAllOperationsAreFinished", .blocking, waits),
    Line("Operation.waitUntilFinished", .blocking, waits),
    Line("URLSession.sendSynchronousRequest", .blocking, network),
    Line("NSURLConnection.sendSynchronousRequest", .blocking, network),
    Line("Host.init", .blocking, network), Line("readLine", .blocking, "it waits for a line of input"),
    // Dispatch.
    Line("DispatchSemaphore.wait", .blocking, waits), Line("OS_dispatch_semaphore.wait", .blocking, waits),
    Line("DispatchGroup.wait", .blocking, waits), Line("OS_dispatch_group.wait", .blocking, waits),
    Line("DispatchWorkItem.wait", .blocking, waits),
    Line("DispatchQueue.sync", .blocking, "it waits for a queue", .queueSync),
    Line("OS_dispatch_queue.sync", .blocking, "it waits for a queue", .queueSync),
    Line("DispatchQueue.asyncAndWait", .blocking, "it waits for a queue", .queueSync),
    // C: time, files, sockets, processes.
    Line("c:sleep", .blocking, sleeps), Line("c:usleep", .blocking, sleeps), Line("c:nanosleep", .blocking, sleeps),
    Line("c:clock_nanosleep", .blocking, sleeps), Line("c:pause", .blocking, waits),
    Line("c:poll", .blocking, device), Line("c:ppoll", .blocking, device), Line("c:select", .blocking, device),
    Line("c:pselect", .blocking, device), Line("c:epoll_wait", .blocking, device), Line("c:kevent", .blocking, device),
    Line("c:recv", .blocking, network), Line("c:recvfrom", .blocking, network), Line("c:recvmsg", .blocking, network),
    Line("c:accept", .blocking, network), Line("c:accept4", .blocking, network), Line("c:connect", .blocking, network),
    Line("c:getaddrinfo", .blocking, network), Line("c:gethostbyname", .blocking, network),
    Line("c:getnameinfo", .blocking, network), Line("c:flock", .blocking, waits), Line("c:lockf", .blocking, waits),
    Line("c:wait", .blocking, "it waits until another program ends"),
    Line("c:waitpid", .blocking, "it waits until another program ends"),
    Line("c:system", .blocking, "it waits until another program ends"),
    Line("c:pclose", .blocking, "it waits until another program ends"),
    Line("c:popen", .heavy, "it starts another program"),
    Line("c:sem_wait", .blocking, waits), Line("c:sem_timedwait", .blocking, waits),
    Line("c:pthread_join", .blocking, waits), Line("c:pthread_cond_wait", .blocking, waits),
    Line("c:pthread_cond_timedwait", .blocking, waits), Line("c:fsync", .blocking, "it waits for the disk"),
    Line("c:fdatasync", .blocking, "it waits for the disk"), Line("c:sync", .blocking, "it waits for the disk"),
    Line("c:read", .heavy, "it reads a file or a device"), Line("c:pread", .heavy, "it reads a file or a device"),
    Line("c:fread", .heavy, "it reads a file or a device"), Line("c:fgets", .heavy, "it reads a file or a device"),
    Line("c:getline", .heavy, "it reads a file or a device"), Line("c:scanf", .blocking, "it waits for a line of input"),
    Line("c:opendir", .heavy, walks), Line("c:scandir", .heavy, walks), Line("c:nftw", .heavy, walks),
    Line("c:ftw", .heavy, walks), Line("c:glob", .heavy, walks),
    // Databases with a C interface.
    Line("c:sqlite3_step", .heavy, database), Line("c:sqlite3_exec", .heavy, database),
    Line("c:sqlite3_open", .heavy, database), Line("c:sqlite3_open_v2", .heavy, database),
    Line("c:sqlite3_backup_step", .heavy, database), Line("c:sqlite3_wal_checkpoint_v2", .heavy, database),
    Line("c:sqlite3_get_table", .heavy, database),
    Line("c:PQexec", .blocking, database), Line("c:PQexecParams", .blocking, database),
    Line("c:PQexecPrepared", .blocking, database), Line("c:PQconnectdb", .blocking, database),
    Line("c:PQgetResult", .blocking, database), Line("c:PQprepare", .blocking, database),
    Line("c:mysql_query", .blocking, database), Line("c:mysql_real_query", .blocking, database),
    Line("c:mysql_store_result", .blocking, database), Line("c:mysql_real_connect", .blocking, database),
    Line("c:curl_easy_perform", .blocking, network),
  ]
}
