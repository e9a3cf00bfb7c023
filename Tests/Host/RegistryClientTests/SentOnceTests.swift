import Foundation
import HostileServer
import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

@testable import RegistryClient

/// Goal: an act is sent to a registry once, because sent again it could undo what another client did meanwhile. Method:
/// every act, servers that withhold the answer in every way, and a count of the requests that they read.
@Suite(.ownThreads) struct `F3: an act that is sent to a registry` {
    enum Act: Sendable, CaseIterable {
        case publish, restore, rollback, rollbackTo, createToken, rotateToken

        /// The command that shows whether it was done.
        var look: String {
            [.createToken, .rotateToken].contains(self) ? "`widget token list`" : "`widget show com.acme.Clock`"
        }

        func send(to registry: RemoteRegistry, isDryRun: Bool = false) async throws(FetchError) {
            switch self {
            case .publish:
                var options = PublishOptions()
                options.isDryRun = isDryRun
                let archive = try rethrowing(as: FetchError.init) { () throws(FileError) in try Act.archive() }
                _ = try await registry.publish(
                    archive, of: "com.acme.Clock", digest: Digest(repeating: 1), options)
            case .restore: _ = try await registry.restore("com.acme.Clock", "1.0~1")
            case .rollback: _ = try await registry.rollback("com.acme.Clock", channel: "stable")
            case .rollbackTo: _ = try await registry.rollback("com.acme.Clock", channel: "stable", to: "1.0~1")
            case .createToken:
                _ = try await registry.createToken("ci", scopes: ["publish"], prefix: nil, expires: nil)
            case .rotateToken: _ = try await registry.rotateToken("ci", prefix: nil, keep: 86_400)
            }
        }

        private static func archive() throws(FileError) -> FileRegion {
            let file = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
            try file.write([1, 2, 3].span, at: 0)
            return FileRegion(SharedFile(file), byteCount: 3)
        }
    }

    /// The ways in which a server that has read a request withholds its answer.
    enum Loss: Sendable, CaseIterable { case busy, tooMany, closed, reset, half }

    private static func losing(_ loss: Loss) throws -> HostileServer {
        try HostileServer { visit in
            _ = visit.readBody()
            if visit.request.method == "GET" {
                return visit.answer(200, text: "{\"items\":[]}")
            }
            switch loss {
            case .busy: visit.answer(503, ["Retry-After: 1"], text: "{}")
            case .tooMany: visit.answer(429, ["Retry-After: 1"], text: "{}")
            case .closed: break
            case .reset: visit.reset()
            case .half: visit.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"release\":")
            }
        }
    }

    private static func registry(_ server: HostileServer) throws -> RemoteRegistry {
        RemoteRegistry(try RegistryAddress(server.url), client: TransferClient(in: .skipping()))
    }

    @Test(arguments: Act.allCases, Loss.allCases)
    func `An act is sent once, and the error says that it may have happened and how to look`(
        _ act: Act, _ loss: Loss
    ) async throws {
        let server = try Self.losing(loss)
        let registry = try Self.registry(server)
        // Over a connection that was kept and is closed, libcurl sends a request again by itself.
        _ = try await registry.bundles()
        do throws(FetchError) {
            try await act.send(to: registry)
            Issue.record("nothing was answered")
        } catch {
            switch error.reason {
            case .unexpectedStatus(let status, retryAfter: 1):
                #expect(status == (loss == .busy ? 503 : 429) && [.busy, .tooMany].contains(loss))
                #expect(error.hints.contains { $0.contains("1 s") })
            case .unanswered:
                #expect([.closed, .reset, .half].contains(loss))
                #expect("\(error)".contains("the answer was lost"))
                #expect("\(error)".contains("may have done"))
                #expect(error.hints.contains { $0.contains(act.look) }, "\(error.hints)")
            default: Issue.record("\(error)")
            }
        }
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test(arguments: Act.allCases) func `An act that no server can have seen is tried again`(_ act: Act) async throws {
        let gone = try HostileServer { _ in }
        gone.stop()
        let clock = SkippingClock()
        let registry = RemoteRegistry(try RegistryAddress(gone.url), client: TransferClient(in: .skipping(clock)))
        do throws(FetchError) {
            try await act.send(to: registry)
            Issue.record("nothing listens")
        } catch {
            guard case .transfer(let failure) = error.reason else { throw error }
            #expect(failure.reason == .noConnection)
        }
        #expect(clock.sleeps.count == registry.retries.attempts - 1)
    }

    /// The body of an answer that has begun is not asked for again.
    @Test(arguments: Loss.allCases.filter { $0 != .half })
    func `A withdrawal is sent again`(_ loss: Loss) async throws {
        let server = try Self.losing(loss)
        let registry = try Self.registry(server)
        await #expect(throws: FetchError.self) {
            _ = try await registry.withdraw("com.acme.Clock", "1.0~1", reason: "it crashes")
        }
        #expect(server.requests.count == registry.retries.attempts)
    }

    @Test(arguments: Loss.allCases)
    func `A dry run is sent once, and its error does not say that something may have changed`(_ loss: Loss) async throws
    {
        let server = try Self.losing(loss)
        let registry = try Self.registry(server)
        do throws(FetchError) {
            try await Act.publish.send(to: registry, isDryRun: true)
            Issue.record("it was answered")
        } catch {
            #expect(!"\(error)".contains("may have done"))
        }
        #expect(server.requests.count == 1)
    }

    @Test func `The numbers about requests to a registry in docs/running.md are those of the program`() throws {
        let text = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/running.md", encoding: .utf8)
        let guide = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let registry = RemoteRegistry(try RegistryAddress("http://registry.test"))
        let fetch = FetchOptions()
        let words = ["none", "one", "two", "three", "four", "five", "six"]
        let hours = try #require(fetch.total).components.seconds / 3_600
        for sentence in [
            "\(words[registry.retries.attempts]) attempts, "
                + "\(RemoteRegistry.answerTime.components.seconds) s in all",
            "Updates of widgets have \(words[fetch.retries.attempts]) attempts, and \(words[Int(hours)]) hour for an archive",
        ] {
            #expect(guide.contains(sentence), "docs/running.md does not say: \(sentence)")
        }
    }
}
