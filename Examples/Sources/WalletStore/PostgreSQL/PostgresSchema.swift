/// The tables of a wallet in PostgreSQL.

/// What makes a database a wallet, and of which version.
enum PostgresSchema {
  static let version = 1

  /// What every connection is told: a read of a balance names its rows, because a scan of the table would make each
  /// transaction depend on every other. What decides asks for a serialisable transaction; the reads around it need none.
  ///
  /// - Parameter lockTimeout: how long a statement waits for a transaction that holds what it needs. Those of a wallet end
  ///   in milliseconds; one that a person began and forgot must not stop every wallet without a word.
  static func session(lockTimeout: Duration) -> String {
    """
    SET search_path = wallet;
    SET enable_seqscan = off;
    SET default_transaction_isolation = 'read committed';
    SET synchronous_commit = on;
    SET lock_timeout = '\(max(1, Int(lockTimeout / .milliseconds(1))))ms';
    """
  }

  /// Makes the tables if they are not there. Several processes may call it at once: a lock of the server lets one in.
  static let create = """
    BEGIN;
    SELECT pg_advisory_xact_lock(1297572204);
    CREATE SCHEMA IF NOT EXISTS wallet;
    CREATE TABLE IF NOT EXISTS wallet.version (number integer NOT NULL);
    INSERT INTO wallet.version SELECT \(version) WHERE NOT EXISTS (SELECT 1 FROM wallet.version);
    CREATE TABLE IF NOT EXISTS wallet.accounts (
      name text COLLATE "C" PRIMARY KEY,
      currency text NOT NULL,
      balance bigint NOT NULL CHECK (balance >= 0)
    ) WITH (fillfactor = 50);
    CREATE TABLE IF NOT EXISTS wallet.ledger (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key text COLLATE "C" NOT NULL UNIQUE,
      kind text NOT NULL CHECK (kind IN ('open', 'deposit', 'transfer')),
      sender text NOT NULL,
      recipient text NOT NULL,
      amount bigint NOT NULL,
      currency text NOT NULL,
      balance bigint NOT NULL CHECK (balance >= 0),
      recorded_at bigint NOT NULL
    );
    COMMIT;
    """
}
