import Glibc
import WidgetPages
import WidgetRuntime

/// A server whose page has two live widgets among its own content: `PageHost [BUNDLE [PORT]]`. Every visitor uses the same
/// widgets and sees what the others do: a session has any number of readers, and each visitor elements of their own.
@main struct PageHost {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let bundle = arguments.first ?? "Counter.bundle"
        let server = try SmallServer(port: arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0)
        let site = WidgetSite(below: "/widgets")
        let sessions = [try await WidgetSession(path: bundle), try await WidgetSession(path: bundle)]
        print("serving on http://127.0.0.1:\(server.port)/")
        fflush(nil)
        for await request in server.requests {
            Task { await answer(request, site, sessions) }
        }
    }

    /// Passes on what is the widgets', and answers the rest with the page.
    static func answer(_ request: SmallServer.Request, _ site: WidgetSite, _ sessions: [WidgetSession]) async {
        let asked = SiteRequest(request.method, request.path, fields: request.fields, body: request.body)
        if let answer = await site.answer(asked) { return await request.send(answer) }
        if request.path == "/page.css" { return request.answer("text/css; charset=utf-8", Page.sheet) }
        guard request.path == "/" else {
            return request.answer("text/plain; charset=utf-8", "There is no such page.\n", status: "404 Not Found")
        }
        var options = WidgetPageOptions()
        // Below the headings of the page around them.
        options.headingLevel = 3
        do {
            (options.letter, options.heading) = ("a", "Visitors")
            let visitors = try await site.element(of: sessions[0], options: options, for: request.client)
            (options.letter, options.heading) = ("b", "Guests")
            let guests = try await site.element(of: sessions[1], options: options, for: request.client)
            request.answer("text/html; charset=utf-8", Page.text(visitors, guests, script: site.script))
        } catch {
            request.answer("text/plain; charset=utf-8", "\(error)\n", status: "503 Service Unavailable")
        }
    }
}
