import ConformanceSupport
import Foundation
import RegistryClient
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistryClient
import WidgetRuntime
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

/// Goal: a host that does what `docs/hosting.md` says harms no fleet. Method: the loop of that page, word by word, against a
/// registry that the test scripts, under each event and each pair of events; then without them.
@Suite(.also(.faults)) struct `The loop of the page about hosting` {
    /// An accident of a host, its disk or its registry.
    enum Accident: CaseIterable, Sendable {
        /// The registry has another name from now on.
        case addressChanged, addressChangedAndKnown
        case builtIn, stop
        /// Another process has the widget's folder in the cache, or its data.
        case cacheLocked, dataLocked
        case diskFull
        case dayAhead, dayBehind
        /// The process ended after so many steps of a start and an update.
        case killedAfter1, killedAfter2, killedAfter3, killedAfter4, killedAfter5
        /// The registry lies: another release under the same number, an old number, one far ahead, other bytes, another
        /// bundle, half a document.
        case rewrites, goesBack, jumps, damages, isForeign, breaksOff
        case isDown

        var steps: Int? {
            let kills: [Accident] = [.killedAfter1, .killedAfter2, .killedAfter3, .killedAfter4, .killedAfter5]
            return kills.firstIndex(of: self).map { $0 + 1 }
        }
    }

    static let pairs = Accident.allCases.flatMap { first in Accident.allCases.map { (first, $0) } }

    @Test(arguments: Accident.allCases)
    func `A host that follows the loop gets through each accident`(_ accident: Accident) async throws {
        try await Self.endure([accident])
    }

    /// Every thirteenth pair in `make test`, all of them in `make check PART=faults`.
    @Test(arguments: pairs.indices.filter { Thoroughness.isFull || $0 % 13 == 3 })
    func `A host that follows the loop gets through two accidents at once`(_ number: Int) async throws {
        let (first, second) = Self.pairs[number]
        guard first != second else { return }
        try await Self.endure([first, second])
    }

    @Test(arguments: [#filePath, "\(Corpus.repositoryRoot)/Examples/Hosts/Sources/KioskHost/KioskHost.swift"])
    func `The loop is that of the page, line by line, here and in the kiosk`(_ file: String) throws {
        let page = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/hosting.md", encoding: .utf8)
        let part = try #require(page.split(separator: "\n## The loop\n").last)
        let block = try #require(part.split(separator: "```swift\n").dropFirst().first?.split(separator: "```").first)
        var here = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }[...]
        // The first line is the app's own path. The kiosk prints the answer of the last one.
        let lines = block.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.count > 25)
        for line in lines where !line.isEmpty {
            let words = line.replacing("_ = try? await", with: "try? await")
            let place = try #require(
                here.firstIndex { $0 == line || $0.hasSuffix(" = \(words)") }, "\(file) does not have: \(line)")
            here = here[here.index(after: place)...]
        }
    }

    private static func endure(_ accidents: [Accident]) async throws {
        let disk = SmallDisk.isPossible ? try SmallDisk(kilobytes: 8_192) : nil
        defer { withExtendedLifetime(disk) {} }
        let scene = try Scene(on: disk?.path)
        try await scene.offer(1)
        // A host that works, with data.
        try await scene.run(until: { $0.contains("v1 0") }) { session in try await session.tap("add") }
        try await scene.run(until: { $0.contains("v1 1") })
        try await scene.offer(2)
        for accident in accidents { try await scene.begin(accident) }
        try await scene.run(asking: 4)
        let shown = scene.lines
        #expect(accidents.contains(.stop) || !shown.isEmpty, "\(accidents): nothing was shown")
        #expect(scene.leastPause >= .seconds(1), "\(accidents): \(scene.leastPause)")
        // The first, one after the directive, and one when there is a release again.
        #expect(scene.startCount <= 3, "\(accidents): \(scene.startCount) starts")
        scene.end()
        // The release that was confirmed is here still, or a later one.
        let kept = try scene.client().current(scene.widget)?.version
        #expect(kept != nil, "\(accidents)")
        try await scene.offer(3)
        try await scene.run(until: { $0.last?.hasPrefix("v3") == true })
        // Its data are there with the next start at the latest.
        try await scene.run(until: { !$0.isEmpty })
        #expect(scene.lines == ["v3 1"], "\(accidents): \(scene.lines)")
        let last = try await scene.client().start(scene.widget)
        #expect(last.version == "1.3~1" && !last.isTrial, "\(accidents)")
    }

    /// A host, its disk, and a registry.
    private final class Scene: Sendable {
        let widget: WidgetID
        private let registry = ScriptedRegistry()
        private let folder: Folder
        /// The file system that the accident of a full disk is about; `nil` if none can be made.
        private let disk: String?
        private let state = Observed(State())

        private struct State: Sendable {
            var lines: [String] = []
            var starts = 0
            /// The number of the present host. One that has ended may still have a question on its way.
            var host = 0
            var address = "http://registry.test"
            var former: [String] = []
            var clock = SkippingClock()
            var moments: [Duration] = []
            var leastPause = Duration.seconds(1_000)
            var locks: [any Sendable] = []
            var directive: String?
            var isDown = false
        }

        init(on disk: String?) throws {
            self.disk = disk
            widget = try WidgetID("com.example.Counter-1")
            folder = try Folder()
            try Data(BundleForge.counter(0).archive).write(to: URL(filePath: builtIn))
        }

        private var root: String { disk ?? folder.path }
        private var builtIn: String { "\(folder.path)/BuiltIn.zip" }
        var lines: [String] { state.value.lines }
        var startCount: Int { state.value.starts }
        var leastPause: Duration { state.value.leastPause }

        func offer(_ number: Int) async throws { registry.offer(try Offer(BundleForge.counter(number))) }

        func client() throws -> WidgetClient {
            let state = state.change { state in
                state.host += 1
                return state
            }
            var limits = CacheLimits()
            limits.lockPatience = .milliseconds(50)
            return try WidgetClient(
                registry: state.address, cache: "\(root)/cache", limits: limits, transport: Line(self, state.host),
                in: World(clock: state.clock, chance: FixedChance(0.5)))
        }

        private var configuration: WidgetConfiguration {
            var configuration = WidgetConfiguration()
            configuration.dataFolder = "\(root)/data"
            configuration.formerRegistries = state.value.former
            return configuration
        }

        // MARK: The loop

        private func loop(_ act: @escaping @Sendable (WidgetSession) async throws -> Void) async throws {
            let (configuration, builtIn, clock) = (self.configuration, self.builtIn, widget)
            let client = try self.client()
            @Sendable func begin() async throws -> (release: WidgetRelease, session: WidgetSession) {
                state.change { $0.starts += 1 }
                let release = try await client.start(clock, builtIn: builtIn)
                do {
                    let session = try await WidgetSession(release, configuration: configuration)
                    try? await release.confirm()
                    return (release, session)
                } catch {
                    if try await release.reject(because: error) { return try await begin() }
                    let spare = client.builtIn(clock, at: builtIn)
                    return (spare, try await WidgetSession(spare, configuration: configuration))
                }
            }

            var shown = try? await begin()
            if let session = shown?.session { try await act(session) }
            await note(shown?.session)
            for await event in client.events(of: clock, since: shown?.release) {
                switch event {
                case .release(let next):
                    guard let session = shown?.session else {
                        shown = try? await begin()
                        await note(shown?.session)
                        continue
                    }
                    do {
                        try await session.replace(with: next)
                        try await next.confirm()
                    } catch {
                        _ = try? await next.reject(because: error)
                    }
                    await note(session)
                case .withdrawn:
                    await shown?.session.stop()
                    shown = try? await begin()
                    await note(shown?.session)
                case .failed, .gone: continue
                }
            }
            await shown?.session.stop()
        }

        /// Notes the line that is shown.
        private func note(_ session: WidgetSession?) async {
            guard let session else { return }
            let text = await session.screen().text()
            guard let line = text.split(separator: "\n").first(where: { $0.contains(/v\d \d/) }),
                let match = line.firstMatch(of: /v\d \d+/)
            else { return }
            state.change { if $0.lines.last != String(match.0) { $0.lines.append(String(match.0)) } }
        }

        /// Runs the loop until a line is shown.
        func run(
            until isReached: @escaping @Sendable ([String]) -> Bool,
            _ act: @escaping @Sendable (WidgetSession) async throws -> Void = { _ in }
        ) async throws {
            state.change { ($0.lines, $0.starts, $0.moments) = ([], 0, []) }
            let task = Task { try await loop(act) }
            await state.becomes { isReached($0.lines) || $0.moments.count > 60 }
            task.cancel()
            try await task.value
        }

        /// Runs the loop until it has asked so many questions.
        func run(asking count: Int) async throws {
            state.change { ($0.lines, $0.starts, $0.moments) = ([], 0, []) }
            let task = Task { try await loop { _ in } }
            await state.becomes { $0.moments.count >= count }
            task.cancel()
            try await task.value
        }

        // MARK: Accidents

        func begin(_ accident: Accident) async throws {
            if let steps = accident.steps { return try await walk(steps) }
            switch accident {
            case .addressChanged: state.change { $0.address = "http://other.test" }
            case .addressChangedAndKnown:
                state.change { ($0.address, $0.former) = ("http://other.test", ["http://registry.test"]) }
            case .builtIn: state.change { $0.directive = $0.directive ?? "builtIn" }
            case .stop: state.change { $0.directive = "stop" }
            case .cacheLocked: keep(try LockedFolder("\(root)/cache/widgets/\(widget)"))
            case .dataLocked: keep(try LockedFile("\(root)/data/\(widget).sqlite.lock"))
            case .diskFull: fill()
            case .dayAhead: state.change { $0.clock = SkippingClock(date: .seconds(1_529_524_800 + 86_400)) }
            case .dayBehind: state.change { $0.clock = SkippingClock(date: .seconds(1_529_524_800 - 86_400)) }
            case .rewrites: registry.change { $0.sequence = 2 }
            case .goesBack: registry.change { $0.sequence = 1 }
            case .jumps: registry.change { $0.sequence = 1 << 40 }
            case .isForeign: registry.change { $0.bundleIdentifier = "com.other.Thing" }
            case .breaksOff: registry.change { $0.document = { String($0.prefix($0.count / 2)) } }
            case .damages: registry.change { $0.archive = { $0.map { $0 ^ 1 } } }
            case .isDown: state.change { $0.isDown = true }
            default: break
            }
        }

        /// Some steps of a host that then ends without a word.
        private func walk(_ steps: Int) async throws {
            state.change { $0.moments = [] }
            let client = try self.client()
            guard let release = try? await client.start(widget, builtIn: builtIn), steps > 1 else { return }
            guard let session = try? await WidgetSession(release, configuration: configuration) else { return }
            if steps > 2, let next = await client.update(widget).release {
                if steps > 3 { _ = try? await session.replace(with: next) }
                if steps > 4 { try? await next.confirm() }
            }
            // A process that ends gives its locks back.
            await session.stop()
        }

        private func keep(_ lock: any Sendable) { state.change { $0.locks.append(lock) } }

        private final class LockedFolder: Sendable {
            private let folder: Directory

            init(_ path: String) throws {
                folder = try Directory(opening: path)
                #expect(try folder.tryLock())
            }
        }

        private final class LockedFile: Sendable {
            private let file: FileDescriptor

            init(_ path: String) throws {
                file = try FileDescriptor.reading(path)
                #expect(try file.tryLock())
            }
        }

        private func fill() {
            guard disk != nil else { return }
            try? FileWork.fill("\(root)/filler", upTo: 16 << 20)
        }

        /// Everything is as it was, and the registry is honest.
        func end() {
            try? FileWork.remove("\(root)/filler")
            state.change { state in
                (state.address, state.directive, state.isDown) = ("http://registry.test", nil, false)
                state.former = ["http://other.test"]
                state.locks = []
                state.clock = SkippingClock()
            }
            registry.change { script in
                (script.archive, script.document) = ({ $0 }, { $0 })
                (script.bundleIdentifier, script.sequence) = (nil, 10)
            }
        }

        // MARK: The registry

        /// The connections of one host.
        private struct Line: Transport {
            let scene: Scene
            let host: Int

            init(_ scene: Scene, _ host: Int) { (self.scene, self.host) = (scene, host) }

            func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
                try await scene.answer(request, to: host)
            }
        }

        private func answer(_ request: TransferRequest, to host: Int) async throws(TransferError) -> TransferAnswer {
            let now = state.value.clock.passed
            let (isDown, directive) = state.change { state in
                if host == state.host, request.url.path.hasPrefix("/v1/widgets/") {
                    if let last = state.moments.last { state.leastPause = min(state.leastPause, now - last) }
                    state.moments.append(now)
                }
                return (state.isDown, state.directive)
            }
            if isDown { throw TransferError(.noConnection, request.url) }
            if let directive, request.url.path.hasPrefix("/v1/widgets/") {
                return Scene.withdrawn(directive, request)
            }
            return try await registry.exchange(request)
        }

        private static let first = Result { try Offer(BundleForge.counter(1)).bundle }
        private static let second = Result { try Offer(BundleForge.counter(2)).bundle }

        private static func withdrawn(_ directive: String, _ request: TransferRequest) -> TransferAnswer {
            let releases = [first, second].compactMap { try? $0.get() }.map {
                """
                {"release":"\($0.manifest.releaseKey)","content":"\($0.contentDigest.hex)","directive":"\(directive)"}
                """
            }
            let body = """
                {"type":"/problems/withdrawn","title":"Withdrawn","status":410,"detail":"all are withdrawn",
                 "bundleIdentifier":"com.example.Counter","withdrawn":[\(releases.joined(separator: ","))]}
                """
            return TransferAnswer(
                TransferHead(
                    status: 410, fields: [TransferField("Content-Type", "application/problem+json")], url: request.url),
                body: ResponseBody(Pieces(Array(body.utf8), ending: nil)))
        }
    }
}
