package import RegistryClient
package import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// Keeps a registry as another one is, over that one's public interface, until it is stopped.
package final class MirrorFollower: Sendable {
    package struct Options: Sendable {
        /// Identifiers of bundles, and beginnings of them before a dot; none: all bundles.
        package var prefixes: [String]
        /// The time between two looks at the feed.
        package var interval: Duration
        /// The rules that archives have to keep.
        package var policy: @Sendable () -> BundlePolicy

        package init(
            prefixes: [String] = [], interval: Duration = .seconds(1), policy: @escaping @Sendable () -> BundlePolicy
        ) {
            self.prefixes = prefixes
            self.interval = interval
            self.policy = policy
        }
    }

    package let figures: MirrorFigures
    private let interval: Duration
    private let world: World
    /// Copying waits for disks.
    private let executor: any TaskExecutor
    private let logger: Logger
    private let begun: MirrorRun
    private let task: Guarded<Task<Void, Never>?> = Guarded(nil)

    /// The longest time for which an origin that was away is not asked.
    private static let longestPause = Duration.seconds(15)

    /// - Parameter data: the directory of the copy. It says what was copied before.
    package init(
        _ registry: Registry, of origin: RemoteRegistry, data: String, logger: Logger,
        in world: World = .machine, _ options: Options
    ) throws(MirrorError) {
        let figures = MirrorFigures(origin: origin.address.description) { world.clock.now }
        self.figures = figures
        interval = options.interval
        self.world = world
        executor = world.threads.executor("widgetd.mirror")
        self.logger = logger
        let copying = BundleCopying(
            registry: registry, origin: origin, data: data, policy: options.policy, figures: figures, logger: logger)
        begun = try MirrorRun(copying, prefixes: options.prefixes, in: world)
    }

    /// Begins to follow; called once.
    package func start() {
        task.withLock { task in
            task = Task.detached(executorPreference: executor) { [self] in await follow() }
        }
    }

    /// Ends what is under way. Nothing of it is lost, and nothing half-done is seen.
    package func stop() { task.withLock { $0?.cancel() } }

    private func follow() async {
        var run = begun
        var attempts = 0
        while !Task.isCancelled {
            do throws(MirrorError) {
                let hasMore = try await run.step()
                if attempts > 0 {
                    attempts = 0
                    logger.log(.notice, "mirror.reachable", "the origin is followed again")
                }
                if !hasMore { await world.clock.sleep(for: interval) }
            } catch {
                if Task.isCancelled { return }
                let pause = MirrorRun.pause(after: attempts, world.chance, atMost: MirrorFollower.longestPause)
                attempts += 1
                figures.change { figures in
                    figures.failures += 1
                    figures.failure = "\(error)"
                }
                logger.log(
                    attempts == 1 ? .warning : .info, "mirror.unreachable", "what was copied is served",
                    [LogField("reason", "\(error)"), LogField("attempts", attempts)])
                await world.clock.sleep(for: pause)
            }
        }
    }
}
