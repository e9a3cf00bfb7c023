import WidgetRuntime

/// A bot that posts renderings as text: `BotHost [BUNDLE]` answers each line of its input, `LINE` being the name of an
/// element to tap, `?` for the names, or anything else for the screen. A chat's client takes the place of the input.
@main struct BotHost {
    static func main() async throws {
        let bundle = CommandLine.arguments.dropFirst().first ?? "Counter.bundle"
        var configuration = WidgetConfiguration()
        configuration.takesInput = false
        let session = try await WidgetSession(path: bundle, configuration: configuration)
        while let line = readLine() { print(await answer(to: line, in: session)) }
        await session.stop()
    }

    /// A post: the screen in a block of fixed width, and the buttons below it.
    static func answer(to line: String, in session: WidgetSession) async -> String {
        do {
            if line == "?" { return names(in: await session.screen().root).joined(separator: ", ") }
            if names(in: await session.screen().root).contains(line) { try await session.tap(line) }
            let screen = await session.screen()
            return "```\n\(screen.text(columns: 40))```" + (screen.notice.map { "\n\($0)" } ?? "")
        } catch {
            return "Sorry: \(error)"
        }
    }

    /// The elements that can be tapped.
    static func names(in element: ScreenElement) -> [String] {
        let own = element.actions.contains("tap") ? [element.identifier ?? element.name ?? element.key] : []
        return own + element.children.flatMap { names(in: $0) }
    }
}
