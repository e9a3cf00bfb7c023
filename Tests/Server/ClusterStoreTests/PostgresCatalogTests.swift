import CatalogSQL
import ClusterStore
import Dispatch
import Glibc
import PostgresPeer
import Testing
import WidgetBytes
import WidgetPostgres
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// Goal: several processes on one database decide as one. Method: several catalogs in this process, each with its own
/// connections, and a server that is made to do what servers do at the worst moment.
@Suite(.part(.cluster))
struct `Replicas on one PostgreSQL` {
    /// A number that the table gave by itself would be given before the commit: a reader that has seen 2 never asks for 1.
    @Test func `A reader that follows the tags misses no change of any replica`() throws {
        let replicas = try Replicas()
        let all = try ["a", "b", "c"].map { try replicas.replica($0) }
        let heard = all.map { _ in Observed([Int64]()) }
        for (index, replica) in all.enumerated() {
            replica.follow { changes in heard[index].withLock { $0 += changes.map(\.tag) } }
        }
        let isDone = Guarded(false)
        let polled = Guarded([Int64]())
        let poller = Aside { () throws(RegistryError) in
            while true {
                let wasDone = isDone.withLock { $0 }
                let last = polled.withLock { $0.last ?? 0 }
                let found = try all[0].read { reader throws(RegistryError) in
                    try reader.changes(after: last, limit: 100)
                }
                polled.withLock { $0 += found.map(\.tag) }
                if wasDone, found.isEmpty { return }
            }
        }
        let own = Guarded([Int64]())
        DispatchQueue.concurrentPerform(iterations: 90) { number in
            do throws(RegistryError) {
                let tag = try all[number % 3].tell("com.acme.\(number)")
                own.withLock { $0.append(tag) }
                // The writer's own readers know of it before it returns.
                #expect(heard[number % 3].withLock { $0.contains(tag) })
            } catch {
                Issue.record("\(error)")
            }
        }
        isDone.withLock { $0 = true }
        _ = poller.result()
        let expected = (1...90).map(Int64.init)
        #expect(own.withLock { $0.sorted() } == expected)
        #expect(polled.withLock { $0 } == expected)
        for heard in heard {
            #expect(heard.reaches { $0.count >= 90 })
            #expect(heard.withLock { $0 } == expected)
        }
    }

    /// A transaction whose snapshot is older than its lock would decide on the state before it waited.
    @Test func `A write that waited for another replica's sees what that has written`() throws {
        let replicas = try Replicas()
        let (first, second) = (try replicas.replica("a"), try replicas.replica("b"))
        let (isInside, mayEnd) = (Observed(false), Observed(false))
        let slow = Aside { () throws(RegistryError) in
            try first.write { editor, _ throws(RegistryError) in
                isInside.withLock { $0 = true }
                #expect(mayEnd.reaches { $0 })
                return try editor.insertBundle("com.acme.Clock", name: "Clock")
            }
        }
        #expect(isInside.reaches { $0 })
        let waiting = Aside { () throws(RegistryError) in
            try second.write { editor, _ throws(RegistryError) in try editor.bundle("com.acme.Clock")?.name }
        }
        // Until the second waits for the lock.
        let watch = try replicas.connection()
        #expect(
            try eventually {
                try watch.ask(
                    "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND database IN (SELECT oid FROM pg_database WHERE datname = current_database())",
                    []
                )
                .row(0).count(0) > 0
            })
        mayEnd.withLock { $0 = true }
        #expect(throws: Never.self) { try #require(slow.result()).get() }
        #expect(try waiting.result()?.get() == "Clock")
    }

    @Test func `A replica that hangs in a write is shut out, and the others continue`() throws {
        let replicas = try Replicas()
        var limits = PostgresLimits()
        limits.idleInTransaction = .seconds(2)
        let (hanging, other) = (try replicas.replica("a", limits), try replicas.replica("b"))
        let (isInside, mayEnd) = (Observed(false), Observed(false))
        let hung = Aside { () throws(RegistryError) in
            try hanging.write { editor, _ throws(RegistryError) in
                _ = try editor.insertBundle("com.acme.Hung", name: "Hung")
                isInside.withLock { $0 = true }
                #expect(mayEnd.reaches { $0 })
            }
        }
        #expect(isInside.reaches { $0 })
        try other.tell("com.acme.Other")
        mayEnd.withLock { $0 = true }
        guard case .failure(.unavailable)? = hung.result() else {
            return #expect(Bool(false), "the hung write succeeded")
        }
        #expect(try other.look { try $0.bundle("com.acme.Hung") } == nil)
        // It is well again, and continues.
        #expect(throws: Never.self) { try hanging.tell("com.acme.Later") }
    }

    @Test func `A read and a write survive that the server ended the connections while they were idle`() throws {
        let replicas = try Replicas()
        let replica = try replicas.replica()
        for _ in 0..<3 {
            try replica.tell("com.acme.Before")
            _ = try replica.look { try $0.latestTag() }
            try replicas.endConnections()
            _ = try replica.look { try $0.latestTag() }
            try replicas.endConnections()
            try replica.tell("com.acme.After")
        }
        #expect(try replica.look { try $0.latestTag() } == 6)
    }

    @Test func `A connection that ends within a write fails the write, and leaves nothing of it`() throws {
        let replicas = try Replicas()
        let replica = try replicas.replica()
        do throws(RegistryError) {
            try replica.write { editor, _ throws(RegistryError) in
                _ = try editor.insertBundle("com.acme.Half", name: "Half")
                try? replicas.endConnections()
                _ = try editor.insertBundle("com.acme.Other", name: "Other")
            }
            Issue.record("the write succeeded")
        } catch {
            guard case .unavailable = error else { return #expect(Bool(false), "\(error)") }
        }
        #expect(try replica.look { try $0.bundleNumbers() } == [])
    }

    @Test func `A change that was committed while a listener was cut off arrives all the same`() throws {
        let replicas = try Replicas()
        let (writer, follower) = (try replicas.replica("a"), try replicas.replica("b"))
        let heard = Observed([String]())
        follower.follow { changes in heard.withLock { $0 += changes.map(\.bundleIdentifier) } }
        for round in 0..<5 {
            try replicas.endConnections()
            try writer.tell("com.acme.\(round)")
        }
        #expect(heard.reaches { $0.count == 5 })
        #expect(heard.withLock { $0 } == (0..<5).map { "com.acme.\($0)" })
    }

    @Test func `A token that is made, rotated or revoked on one replica is known to the others within a second`() throws
    {
        let replicas = try Replicas()
        let clock = ManualClock()
        let (writer, follower) = (try replicas.replica("a"), try replicas.replica("b", in: World(clock: clock)))
        let count = Observed(0)
        let heard = Observed([String]())
        follower.follow { changes in heard.withLock { $0 += changes.map(\.bundleIdentifier) } }
        follower.followTokens { count.withLock { $0 += 1 } }
        guard let digest = Digest.sha256(Array("secret".utf8)) else { return }
        let number = try writer.write { editor, _ throws(RegistryError) in
            try editor.insert(Token(name: "ci", prefix: "", scopes: [.publish], created: 1), digest: digest)
        }
        #expect(count.reaches { $0 == 1 })
        let next = try #require(Digest.sha256(Array("next".utf8)))
        let isRotated = try writer.write { editor, _ throws(RegistryError) in
            try editor.rotateToken(number, from: digest, to: next, keptUntil: 9)
        }
        #expect(isRotated)
        #expect(count.reaches { $0 == 2 })
        let secrets = try follower.look { try $0.tokensByDigest() }
        #expect(secrets.mapValues(\.isFoundByEarlierSecret) == [digest: true, next: false])
        _ = try writer.write { editor, _ throws(RegistryError) in try editor.revokeToken(number, at: 2) }
        #expect(count.reaches { $0 == 3 })
        // It needs no pause between attempts, which would be one of this clock.
        #expect(clock.passed == .zero && clock.waitingCount == 0)
        // The use of a token is noted and changes no right.
        try writer.write { editor, _ throws(RegistryError) in try editor.setLastUse(ofToken: number, 3) }
        // Between the two, the look that found the first has ended.
        for name in ["com.acme.Later", "com.acme.Last"] {
            try writer.tell(name)
            #expect(heard.reaches { $0.last == name })
        }
        #expect(follower.staleness == .zero)
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `An older state of the database in the place of the present one is refused`() throws {
        let replicas = try Replicas()
        let replica = try replicas.replica()
        for number in 0..<3 { try replica.tell("com.acme.\(number)") }
        #expect(replica.staleness < .seconds(60) && replica.mayGiveCached)
        try replicas.connection().ask("DELETE FROM change WHERE tag > 1", [])
        #expect(eventually { replica.trouble?.contains("ends with change 1") ?? false })
        #expect(!replica.mayGiveCached)
        #expect(throws: RegistryError.self) { try replica.tell("com.acme.Again") }
        #expect(throws: RegistryError.self) { try replica.look { try $0.latestTag() } }
        // One that starts has shown nothing yet.
        #expect(try replicas.replica("b").look { try $0.latestTag() } == 1)
    }

    /// A number in one catalog may be another token's in the other.
    @Test
    func `Sessions and uploads go neither along with a catalog that is moved, nor over to one that takes its place`()
        throws
    {
        let key = try #require(Digest.sha256([1]))
        func begin(_ catalog: PostgresCatalog, _ words: String) throws {
            try catalog.tell(words)
            try catalog.write { editor, _ throws(RegistryError) in
                let share = DeskShare(prefix: "", token: 1)
                try editor.insert(SessionRecord(key: key, token: 1, share: share, begun: 1, used: 1))
                try editor.insert(
                    WaitingUpload(key: key, token: 1, share: share, since: 1, digest: key, request: ""), report: [1])
            }
        }
        let (source, target, empty) = (
            try Replicas().replica(), try Replicas().replica(), try Replicas().replica()
        )
        try begin(source, "com.acme.New")
        try begin(target, "com.acme.Old")
        try source.tell("com.acme.Newer")
        try source.read { reader throws(RegistryError) in
            guard let all = reader as? SQLCatalog else { throw .damaged("the catalog cannot be read") }
            try target.replace(by: all)
            try empty.fill(from: all)
        }
        for catalog in [target, empty] {
            #expect(try catalog.look { try $0.latestTag() } == 2)
            #expect(try catalog.look { try $0.sessions().isEmpty && $0.uploads().isEmpty })
        }
        #expect(try source.look { try $0.sessions().count + $0.uploads().count } == 2)
    }

    @Test func `Work on the whole store is one replica's at a time, and another's when that is gone`() throws {
        let replicas = try Replicas()
        let (first, second) = (try replicas.replica("a"), try replicas.replica("b"))
        #expect(try first.claim(.gc))
        #expect(try !second.claim(.gc))
        #expect(try !second.claim(.backup))
        #expect(try second.claim(.scrub))
        first.yield(.gc)
        #expect(try second.claim(.backup))
        #expect(try !first.claim(.gc))
        // A replica that is gone does not renew it. These are not gone, and might.
        try replicas.connection().ask(
            "UPDATE lease SET holder = 'gone', until = clock_timestamp() - interval '1 second'", [])
        #expect(try first.claim(.gc))
        second.yield(.backup)
        #expect(try !second.claim(.gc))
        #expect(first.lastRun(of: .gc) == nil)
        first.noteRun(of: .gc, at: 7)
        #expect(second.lastRun(of: .gc) == 7)
    }

    @Test func `A text with a zero byte is refused, and costs no other write`() throws {
        let replicas = try Replicas()
        let replica = try replicas.replica()
        #expect(throws: RegistryError.self) { try replica.tell("com.acme\u{0}") }
        try replica.tell("com.acme.Clock")
        #expect(try replica.look { try $0.changes(after: 0, limit: 9).map(\.bundleIdentifier) } == ["com.acme.Clock"])
    }

    @Test func `The catalog complains of an index that is not valid and of triggers that are off`() throws {
        let replicas = try Replicas()
        let replica = try replicas.replica()
        #expect(try replica.complaints() == [])
        let connection = try replicas.connection()
        try connection.script("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'release_digest'::regclass")
        try connection.script("ALTER TABLE change DISABLE TRIGGER tell_change")
        #expect(try replica.complaints().count == 2)
    }
}

/// Goal: a server that fails at the worst moment costs nothing that was acknowledged. Method: a server of the test.
@Suite(.serialized, .part(.cluster))
struct `A PostgreSQL that fails` {
    /// A commit that waits for a standby is done already; ending its connection loses the answer and nothing else.
    @Test func `A commit whose answer was lost is found, and counts`() throws {
        let replicas = try Replicas(PostgresPeer())
        let replica = try replicas.replica()
        let heard = Guarded([Int64]())
        replica.follow { changes in heard.withLock { $0 += changes.map(\.tag) } }
        try replica.tell("com.acme.First")
        let operating = try replicas.connection()
        try operating.ask("ALTER SYSTEM SET synchronous_standby_names = 'absent'", [])
        try operating.ask("SELECT pg_reload_conf()", [])
        // Until the server has read its configuration, a commit does not wait; then another one is tried.
        var (tag, ended) = (Int64(1), 0)
        while ended == 0 && tag < 1_000 {
            let lost = Aside { () throws(RegistryError) in try replica.tell("com.acme.Lost") }
            tag += 1
            #expect(
                try eventually {
                    ended += try operating.ask(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE wait_event = 'SyncRep' AND query = 'COMMIT'
                        """, []
                    ).rowCount
                    return ended > 0 || lost.isDone
                })
            #expect(try lost.result()?.get() == tag)
        }
        #expect(ended > 0)
        #expect(heard.withLock { $0 } == Array(1...tag))
        #expect(try replica.look { try $0.latestTag() } == tag)
    }

    @Test func `A commit that came to nothing is found out, and fails`() throws {
        let replicas = try Replicas()
        let replica = try replicas.replica()
        try replica.tell("com.acme.First")
        // Ends the connection within the commit.
        try replicas.connection().script(
            """
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON change DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (NEW.bundle = 'com.acme.Cut') EXECUTE FUNCTION cut();
            """)
        do throws(RegistryError) {
            try replica.tell("com.acme.Cut")
            Issue.record("the commit succeeded")
        } catch {
            #expect("\(error)".contains("nothing was written"))
        }
        #expect(try replica.tell("com.acme.Next") == 2)
    }

    @Test
    func `A server that hangs costs each caller the time that was set, and cached answers end when they are too old`()
        throws
    {
        let replicas = try Replicas(PostgresPeer())
        var limits = PostgresLimits()
        limits.answer = .seconds(2)
        let clock = ManualClock()
        let replica = try replicas.replica("a", limits, in: World(clock: clock)) { $0.staleFor = .seconds(10) }
        try replica.tell("com.acme.First")
        #expect(replica.mayGiveCached && replica.trouble == nil)
        replicas.peer.signal(SIGSTOP)
        defer { replicas.peer.signal(SIGCONT) }
        // What waits for a device does so by the machine's clock.
        let hung = #expect(throws: RegistryError.self) { try replica.look { try $0.latestTag() } }
        #expect(throws: RegistryError.self) { try replica.tell("com.acme.Hung") }
        #expect(hung.map { "\($0)" }?.contains("no answer from PostgreSQL in 2") ?? false, "\(hung as Any)")
        clock.advance(by: .seconds(10))
        #expect(replica.mayGiveCached)
        clock.advance(by: .seconds(1))
        #expect(!replica.mayGiveCached)
        #expect(replica.trouble?.hasPrefix("unreachable for 11 s") ?? false)
        replicas.peer.signal(SIGCONT)
        // Each time the pause between two attempts has passed.
        #expect(
            eventually {
                clock.advance(by: .seconds(2))
                return replica.mayGiveCached && replica.trouble == nil
            })
        #expect(throws: Never.self) { try replica.tell("com.acme.Again") }
    }
}
