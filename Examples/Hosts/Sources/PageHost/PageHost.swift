import Glibc
import WidgetPages
import WidgetRuntime

/// A server that shows a widget on its pages: `PageHost [BUNDLE [PORT]]`. Every visitor uses the same widget and sees what the
/// others do: a session has any number of readers, and each visitor a page.
@main struct PageHost {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let session = try await WidgetSession(path: arguments.first ?? "Counter.bundle")
        let server = try SmallServer(port: arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0)
        print("serving on http://127.0.0.1:\(server.port)/")
        fflush(nil)
        var visitors: [String: WidgetPage] = [:]
        var options = WidgetPageOptions()
        options.folder = "/files/"
        for await request in server.requests {
            if request.path.hasPrefix("/changes?") {
                Task { await report(changesOf: session, to: request) }
                continue
            }
            let visitor = request.cookie("visitor") ?? String(UInt64.random(in: 0...UInt64.max), radix: 36)
            // A visitor whose page was forgotten begins with a new one.
            if visitors.count >= 1_000 { visitors = [:] }
            let page = visitors[visitor] ?? WidgetPage(of: session, options: options)
            visitors[visitor] = page
            var answer = await answer(to: request, page, session)
            answer.fields.append("Set-Cookie: visitor=\(visitor); HttpOnly; SameSite=Strict; Path=/")
            request.answer(answer)
        }
    }

    static func answer(
        to request: SmallServer.Request, _ page: WidgetPage, _ session: WidgetSession
    ) async -> SmallServer.Answer {
        if request.method == "POST" {
            do {
                try await page.submit(request.fields)
                return SmallServer.Answer(status: "303 See Other", fields: ["Location: /"])
            } catch {
                return SmallServer.Answer(status: "409 Conflict", body: Array("\(error)\n".utf8))
            }
        }
        if request.path.hasPrefix("/live.js?") {
            return SmallServer.Answer(type: "text/javascript; charset=utf-8", body: Array(script.utf8))
        }
        // A change after this is one that the page may lack.
        let state = await state(of: session)
        let rendered = await page.render()
        guard request.path.hasPrefix("/files/") else {
            return SmallServer.Answer(
                type: "text/html; charset=utf-8", body: Array(live(rendered.html, showing: state).utf8))
        }
        guard let file = rendered.files.first(where: { request.path == "/files/\($0.name)" }) else {
            return SmallServer.Answer(status: "404 Not Found")
        }
        return SmallServer.Answer(type: file.mediaType, body: file.bytes)
    }

    /// A short name for what the screen shows.
    static func state(of session: WidgetSession) async -> String { String(await session.screen().json().hashValue) }

    /// Sends an event whenever the screen is another one than the page shows, until the visitor is gone.
    static func report(changesOf session: WidgetSession, to request: SmallServer.Request) async {
        var shown = String(request.path.dropFirst("/changes?".count))
        request.begin(type: "text/event-stream")
        for await _ in session.changes {
            let now = await state(of: session)
            guard now != shown else { continue }
            shown = now
            guard request.send("data: changed\n\n") else { break }
        }
        request.close()
    }

    /// The page with the script of this server, which its policy does not allow by itself.
    static func live(_ html: String, showing state: String) -> String {
        html.replacing("default-src 'none'", with: "default-src 'none'; script-src 'self'; connect-src 'self'")
            .replacing("</body>", with: "<script src=\"/live.js?\(state)\"></script></body>")
    }

    /// Loads a changed page again, unless its visitor is typing. Without a script, pages are as before.
    static let script = """
        new EventSource("/changes?" + document.currentScript.src.split("?")[1]).onmessage = () => {
            if (!document.activeElement?.matches("input, textarea, select")) location.reload();
        };
        """
}
