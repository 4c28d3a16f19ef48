/// What this module adds to the domains of another.
import MS501Domain

/// Works with the domain's numbers, and so belongs to it.
@ParcelActor final class Returns { var waiting: [ParcelNumber] = [] }

/// Has nothing to do with berths and ships: the harbour waits for the jokes.
@HarbourActor final class Jokes { var told = 0 }
