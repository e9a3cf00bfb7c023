internal import WidgetBytes
internal import WidgetRuntime
internal import WidgetSurroundings

/// The sessions and readers of elements, by the names of their pages: a page that has ended, because its tab was hidden for
/// long or its machine asleep, is begun anew by these for a day.
final class SiteOpenings: Sendable {
    private struct Opening {
        weak var session: WidgetSession?
        let options: WidgetPageOptions
        let client: String
        /// The last time that a page was made of it.
        var moment: ContinuousClock.Instant
    }

    private let clock: any Clock
    private let openings = Guarded<[String: Opening]>([:])

    private static let lifetime = Duration.seconds(86_400)
    private static let mostOpenings = 20_000

    init(_ clock: any Clock) { self.clock = clock }

    func add(_ session: WidgetSession, _ options: WidgetPageOptions, for client: String, as name: String) {
        let opening = Opening(session: session, options: options, client: client, moment: clock.now)
        openings.withLock { openings in
            openings[name] = opening
            guard openings.count > SiteOpenings.mostOpenings else { return }
            // The older half, so that this is rare.
            let middle = openings.values.map(\.moment).sorted()[openings.count / 2]
            openings = openings.filter { $0.value.moment > middle || $0.key == name }
        }
    }

    /// - Returns: `nil` if it is too old, if its visitor has signed out, or if the session is gone.
    func opening(of name: String) -> (session: WidgetSession, options: WidgetPageOptions, client: String)? {
        let now = clock.now
        return openings.withLock { openings in
            guard let known = openings[name], now - known.moment < SiteOpenings.lifetime, let session = known.session
            else {
                openings[name] = nil
                return nil
            }
            openings[name]?.moment = now
            return (session, known.options, known.client)
        }
    }

    func forget(page name: String) { openings.withLock { $0[name] = nil } }

    /// - Parameter client: the visitor; `nil` for all.
    func forget(_ client: String?) {
        openings.withLock { openings in
            openings = client == nil ? [:] : openings.filter { $0.value.client != client }
        }
    }
}
