import RegistryClient
import WidgetBytes
import WidgetConsole
import WidgetHosting
import WidgetRunning

/// A widget whose first document may not be there yet: an editor, or a program, is about to write it.
enum AwaitedWidget {
    /// The widget, as soon as there is one.
    ///
    /// A script waits for nothing: it is about what is there.
    static func next(
        _ options: RunningOptions
    ) async throws(CommandFailure) -> (RunningSource, WidgetInstance, RecordStore?) {
        var hasWaited = false
        while true {
            let source = try await options.source()
            do throws(CommandFailure) {
                let (instance, records) = try options.instance(of: source)
                return (source, instance, records)
            } catch {
                let absent = options.absentDocument
                guard !options.isScripted, hasWaited || absent != nil else { throw error }
                if let absent {
                    let sentence = "waiting: \(absent) is not there; it is shown as soon as it is"
                    _ = options.terminal.print(QuotedText.plain(sentence) + "\n")
                } else {
                    // What has come is not whole yet, or wrong.
                    options.terminal.complain(
                        QuotedText.plain(error.sentence), hints: ["waiting for the next change of it"])
                }
            }
            hasWaited = true
            for await event in try await options.events(since: source) {
                if case .revision = event { break }
            }
        }
    }
}
