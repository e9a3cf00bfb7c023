import Glibc
import WidgetPages
import WidgetRuntime

/// A server that shows a widget on its pages: `PageHost [BUNDLE [PORT]]`. Every visitor uses the same widget.
@main struct PageHost {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let session = try await WidgetSession(path: arguments.first ?? "Counter.bundle")
        var options = WidgetPageOptions()
        options.folder = "/files/"
        let page = WidgetPage(of: session, options: options)
        let server = try SmallServer(port: arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0)
        print("serving on http://127.0.0.1:\(server.port)/")
        fflush(nil)
        while let request = server.next() { request.answer(await answer(to: request, page)) }
    }

    static func answer(to request: SmallServer.Request, _ page: WidgetPage) async -> SmallServer.Answer {
        if request.method == "POST" {
            do {
                try await page.submit(request.fields)
                return SmallServer.Answer(status: "303 See Other", fields: ["Location: /"])
            } catch {
                return SmallServer.Answer(status: "409 Conflict", body: Array("\(error)\n".utf8))
            }
        }
        let rendered = await page.render()
        guard request.path.hasPrefix("/files/") else {
            return SmallServer.Answer(type: "text/html; charset=utf-8", body: Array(rendered.html.utf8))
        }
        guard let file = rendered.files.first(where: { request.path == "/files/\($0.name)" }) else {
            return SmallServer.Answer(status: "404 Not Found")
        }
        return SmallServer.Answer(type: file.mediaType, body: file.bytes)
    }
}
