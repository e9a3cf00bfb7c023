internal import Bytes
package import HTTPServer
internal import HTTPWire
internal import WidgetCore

/// The routes by which registries before 0.3 ran widgets themselves: pages that are still open, and forms of replicas that are
/// older, are answered with what has become of them.
package enum FormerRoutes {
    package static func add(to routes: inout Routes) {
        for method in [Method.get, .post] {
            routes.on(method, "/live/{page}") { (_, _: String) in ended }
            routes.on(method, "/live/{page}/{part}") { (_, _: String, _: String) in ended }
            routes.on(method, "/live/{page}/{part}/{file}") { (_, _: String, _: String, _: String) in ended }
            routes.on(method, "/w/{bundle}/{release}/run") { (_, _: String, _: String) in ended }
        }
    }

    private static var ended: Answer {
        PageAnswer.sentence(
            .gone, "Widgets run in your browser now, and no longer on this server.",
            .english(
                "Open the page of the bundle again, and press Run there. What was typed here is not sent anywhere."))
    }
}
