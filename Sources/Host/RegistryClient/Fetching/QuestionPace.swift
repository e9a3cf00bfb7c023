internal import RegistryContract
internal import WidgetBytes
internal import WidgetSurroundings

/// Spaces the questions of a host about one widget. Events, directives, errors and the app itself are reasons to ask; each
/// question waits here for its turn, so that no reason can make a host ask more often.
final class QuestionPace: Sendable {
    /// The moments from which a widget may be asked about, by its identifier. Moments that have passed are forgotten.
    private let turns = Guarded<[String: ContinuousClock.Instant]>([:])

    /// Waits for the turn of a question, and takes it.
    ///
    /// - Throws: ``FetchError/Reason/cancelled`` if the task is cancelled meanwhile.
    func wait(about widget: WidgetIdentifier, pause: Duration, on clock: any Clock) async throws(FetchError) {
        guard pause > .zero else { return }
        while true {
            let now = clock.now
            // A turn is taken when it has come, so that a question which is cancelled before takes none from others.
            let turn = turns.withLock { turns in
                turns = turns.filter { $0.value > now }
                let turn = turns[widget.text]
                if turn == nil { turns[widget.text] = now + pause }
                return turn
            }
            guard let turn else { return }
            await clock.sleep(until: turn)
            if Task.isCancelled { throw FetchError(.cancelled) }
        }
    }

    /// Notes that a question has ended just now: its last attempt was the last question.
    func end(about widget: WidgetIdentifier, pause: Duration, on clock: any Clock) {
        guard pause > .zero else { return }
        let next = clock.now + pause
        turns.withLock { turns in turns[widget.text] = max(turns[widget.text] ?? next, next) }
    }
}
