/// The words that the made articles are written in.

enum Vocabulary {
  static let subjects = [
    "Actors", "the Main Actor", "Structured Concurrency", "Tasks", "Task Groups", "Continuations", "Cancellation",
    "Priorities", "Executors", "Isolation", "Sendable Types", "Reentrancy", "Async Sequences", "Locks", "Atomics",
    "Semaphores", "Thread Pools", "the Frame Budget", "Animations", "Scrolling", "JSON Decoding", "Image Decoding",
    "Search Fields", "View Models", "Navigation", "Caching", "Networking", "Keyboards", "Accessibility", "Typography",
    "Colour Palettes", "Databases", "Indexes", "Transactions", "Journals", "Idempotency", "Queues", "Debugging",
    "Profiling", "Benchmarks", "Unicode", "Regular Expressions", "Parsers", "Compilers", "Linkers", "Package Managers",
    "Testing", "Fuzzing", "Code Review", "Refactoring", "Documentation", "Naming", "Error Handling", "Value Types",
    "Generics", "Protocols", "Macros", "Ownership", "Memory", "Garbage Collection", "Reference Counting", "Coroutines",
    "Schedulers", "Event Loops", "Timers", "Clocks", "Time Zones", "Calendars", "Localisation", "Maps", "Photography",
    "Podcasts", "Crosswords", "Chess Engines", "Weather Stations", "Bicycle Repair", "Sourdough", "Espresso",
    "Tea Houses", "Ferries", "Night Trains", "Lighthouses", "Botanical Gardens", "Birdsong", "Tide Tables",
    "Mountain Huts", "Street Markets", "Public Libraries", "Printing Presses", "Woodcuts", "Ceramics", "Violins",
    "Church Organs", "Radio Plays", "Crème Brûlée", "Smørrebrød", "Pâtisserie", "Jalapeño Peppers", "Żurek", "Döner",
    "Façades", "Fin-de-siècle Posters", "Art Nouveau Doorways", "Hygge", "Doppelgänger Stories", "Haiku",
  ]

  static let places = [
    "Łódź", "Kraków", "Gdańsk", "Poznań", "São Paulo", "Brasília", "Córdoba", "Málaga", "León", "Bogotá", "Medellín",
    "Mérida", "Querétaro", "Montréal", "Québec", "Orléans", "Besançon", "Saint-Étienne", "Zürich", "Genève", "München",
    "Köln", "Düsseldorf", "Nürnberg", "Göteborg", "Malmö", "Tromsø", "Ålesund", "Århus", "Helsingør", "Jyväskylä",
    "Tallinn", "Võru", "Rīga", "Šiauliai", "Plzeň", "Ústí nad Labem", "Košice", "Győr", "Székesfehérvár", "București",
    "Timișoara", "Niš", "Čačak", "İzmir", "Muğla", "Đà Nẵng", "Huế", "Reykjavík", "Ísafjörður", "Lisbon", "Porto",
    "Glasgow", "Cork", "Ghent", "Utrecht", "Antwerp", "Hamburg", "Leipzig", "Vienna", "Graz", "Ljubljana", "Zagreb",
    "Athens", "Valletta", "Naples", "Turin", "Marseille", "Nantes", "Kyoto", "Osaka", "Seoul", "Toronto", "Boston",
    "Chicago", "Nairobi", "Accra", "Dakar", "Wellington", "Hobart", "東京", "Αθήνα", "Київ", "Санкт-Петербург",
  ]

  static let qualities = [
    "Quiet", "Slow", "Fast", "Small", "Patient", "Unlikely", "Honest", "Practical", "Forgotten", "Everyday", "Naïve",
    "Careful", "Cheap", "Reliable", "Modern", "Old", "Invisible", "Ordinary", "Déjà Vu", "Blasé", "Risqué", "Überfast",
  ]

  static let givenNames = [
    "Zoë", "Chloé", "André", "José", "María", "João", "Inês", "Søren", "Åsa", "Jürgen", "Günther", "Björn", "Łukasz",
    "Małgorzata", "Zdeněk", "Jiří", "Ágnes", "Gábor", "Ștefan", "Đorđe", "Çağla", "Işıl", "Nguyễn", "Siobhán", "Seán",
    "Eilís", "Renée", "François", "Anaïs", "Noël", "Alice", "Amir", "Ben", "Clara", "David", "Elena", "Farid", "Grace",
    "Hana", "Ivan", "Julia", "Kofi", "Lena", "Mira", "Nadia", "Omar", "Priya", "Quentin", "Rosa", "Sam", "Tara", "Uma",
    "Viktor", "Wanda", "Yuki", "Zainab",
  ]

  static let familyNames = [
    "Ågren", "Håkansson", "Müller", "Schröder", "Weiß", "Núñez", "Ibáñez", "García", "Gonçalves", "Araújo", "Lefèvre",
    "Dvořák", "Černý", "Kovács", "Szűcs", "Łukasiewicz", "Wiśniewski", "Jóhannsdóttir", "Østergaard", "Sørensen",
    "Öztürk", "Yıldız", "Ó Briain", "Ní Dhomhnaill", "Trần", "Popović", "Țepeș", "Adams", "Baker", "Chen", "Diallo",
    "Evans", "Fischer", "Gupta", "Haddad", "Ito", "Jones", "Kim", "Lopez", "Mensah", "Novak", "Okafor", "Park", "Rossi",
    "Silva", "Tanaka", "Usman", "Visser", "Walker", "Young", "Zhang",
  ]

  static let tags = [
    "actors", "swift", "concurrency", "performance", "linux", "ui", "design", "testing", "networking", "databases",
    "history", "travel", "food", "music", "photography", "tools", "languages", "cafés", "essays", "how-to",
  ]

  static let verbs = [
    "explains", "measures", "compares", "questions", "draws", "rebuilds", "collects", "recalls", "defends", "tests",
  ]
}
