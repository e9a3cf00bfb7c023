// A widget in an app for iOS. The folder `widget` of the app is what `widget export Clock.zip --html` has written.
import UIKit
import WebKit

/// Files of the app under an address with an origin, so that the widget's records and cached values are kept.
final class WidgetFiles: NSObject, WKURLSchemeHandler {
    private let types = [
        "html": "text/html", "js": "text/javascript", "css": "text/css", "wasm": "application/wasm",
        "zip": "application/zip",
    ]

    func webView(_ view: WKWebView, start task: any WKURLSchemeTask) {
        guard let url = task.request.url, let root = Bundle.main.url(forResource: "widget", withExtension: nil) else {
            return
        }
        let file = root.appendingPathComponent(url.path).standardizedFileURL
        guard file.path.hasPrefix(root.path), let bytes = try? Data(contentsOf: file) else {
            return task.didFailWithError(URLError(.fileDoesNotExist))
        }
        let fields = [
            "Content-Type": types[file.pathExtension] ?? "application/octet-stream", "Content-Length": "\(bytes.count)",
        ]
        task.didReceive(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)!)
        task.didReceive(bytes)
        task.didFinish()
    }

    func webView(_ view: WKWebView, stop task: any WKURLSchemeTask) {}
}

final class WidgetController: UIViewController, WKScriptMessageHandler {
    private let files = WidgetFiles()

    override func loadView() {
        let settings = WKWebViewConfiguration()
        settings.setURLSchemeHandler(files, forURLScheme: "widget")
        settings.userContentController.add(self, name: "app")
        // What the widget asks of the app comes here.
        let script = "addEventListener('open', ({ detail }) => webkit.messageHandlers.app.postMessage(detail), true)"
        settings.userContentController.addUserScript(
            WKUserScript(source: script, injectionTime: .atDocumentStart, forMainFrameOnly: true))
        let web = WKWebView(frame: .zero, configuration: settings)
        web.allowsBackForwardNavigationGestures = true
        web.load(URLRequest(url: URL(string: "widget://app/index.html")!))
        view = web
    }

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        guard let text = message.body as? String, let url = URL(string: text) else { return }
        UIApplication.shared.open(url)
    }
}
