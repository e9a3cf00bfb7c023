internal import XMLText

/// The system for which an interface was made.
enum InterfacePlatform: String {
    case iOS, macOS, tvOS, watchOS

    /// - Parameter root: the root element of the source.
    init?(of root: XMLElement) {
        let type = root["type"] ?? ""
        let runtime = root["targetRuntime"] ?? ""
        if runtime.hasPrefix("MacOSX") || type.contains(".Cocoa.") {
            self = .macOS
        } else if runtime == "AppleTV" || type.contains("AppleTV") {
            self = .tvOS
        } else if runtime.lowercased() == "watchkit" || type.contains("WatchKit") {
            self = .watchOS
        } else if InterfacePlatform.hasMacObjects(root) {
            self = .macOS
        } else if runtime.hasPrefix("iOS") || type.contains(".CocoaTouch.") {
            self = .iOS
        } else {
            return nil
        }
    }

    /// True if a scene has an object that only applications for macOS have.
    private static func hasMacObjects(_ root: XMLElement) -> Bool {
        for scene in root.child(named: "scenes")?.children ?? [] {
            for object in scene.child(named: "objects")?.children ?? []
            where ["application", "windowController"].contains(object.name) {
                return true
            }
        }
        return false
    }
}
