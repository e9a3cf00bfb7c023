import RegistryClient
import RegistryContract
import WidgetConsole

/// Questions before acts that a slip is enough for. An option answers them beforehand; without it, a person at a terminal is
/// asked, and a script ends with 1.
enum Consent {
    static let newChannel = Option("new-channel", help: "make the channel if the bundle has none of that name")
    static let yes = Option("yes", help: "delete it without a question")

    /// Throws unless the channel is there, is wanted as a new one, or belongs to a bundle that is new itself.
    static func toMake(
        _ channel: String, of bundle: String, _ invocation: Invocation, at registry: RemoteRegistry
    ) async throws(CommandFailure) {
        guard !invocation.has(newChannel.name), let names = try await channels(of: bundle, at: registry),
            !names.contains(channel)
        else { return }
        let others = names.isEmpty ? "it has none" : "there \(names.count == 1 ? "is" : "are") \(list(names))"
        let subject = QuotedText.plain("\(bundle) has no channel \(channel)")
        // A dry run has the outcome of a script, and asks nothing.
        if !invocation.has("dry-run"), ask("\(subject); \(QuotedText.plain(others)). Make it?", invocation) { return }
        throw .failed(
            subject,
            hints: [
                "nothing was changed; \(QuotedText.plain(others))",
                "if a new channel is meant, `--new-channel` makes it",
            ])
    }

    /// The names of a bundle's channels; `nil` if the registry has no such bundle for this token.
    private static func channels(
        of bundle: String, at registry: RemoteRegistry
    ) async throws(CommandFailure) -> [String]? {
        do throws(FetchError) {
            return try await registry.bundle(bundle).value.channels.map(\.name)
        } catch {
            if case .problem(let problem) = error.reason, problem.status == 404 { return nil }
            throw .registry(error)
        }
    }

    private static let listedCount = 8

    private static func list(_ names: [String]) -> String {
        let rest = names.count - listedCount
        return names.prefix(listedCount).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Throws unless a channel is to be deleted.
    static func toDelete(_ channel: String, of bundle: String, _ invocation: Invocation) throws(CommandFailure) {
        if invocation.has(yes.name) { return }
        let loss = "hosts that follow it get nothing new, and its history is not brought back"
        let subject = QuotedText.plain("the channel \(channel) of \(bundle)")
        if ask("Delete \(subject)? \(loss).", invocation) { return }
        throw .failed(
            "\(subject) is not deleted without --yes", hints: ["\(loss); `--yes` deletes it"])
    }

    /// Returns true if a person at the terminal agrees.
    private static func ask(_ question: String, _ invocation: Invocation) -> Bool {
        let terminal = invocation.terminal
        guard terminal.error.isWatched, !invocation.has(RegistryOptions.json.name) else { return false }
        _ = terminal.error.write(Array("\(question) [y/N] ".utf8))
        let answer = terminal.readLine()?.lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }
}
