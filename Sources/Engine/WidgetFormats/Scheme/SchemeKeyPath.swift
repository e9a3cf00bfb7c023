/// A key path in a scheme or a service description, judged by its destination.
enum SchemeKeyPath {
    enum Use {
        /// Read from a screen's scope, where the first component is a name the scheme gave.
        case read
        /// Read from an item of a collection.
        case readFromItem
        /// Assigned: the last component is a property of the object reached before it.
        case assigned
    }

    /// Properties that always lead from an object to its surroundings.
    private static let surroundings: Set<String> = [
        "superview", "superlayer", "window", "nextResponder", "parentViewController", "presentingViewController",
        "presentedViewController", "navigationController", "tabBarController", "splitViewController",
        "viewController", "storyboard", "class", "superclass", "isa", "undoManager", "managedObjectContext",
        "persistentStoreCoordinator", "delegate", "dataSource",
    ]

    /// Properties that lead to the surroundings of a view or a controller, but are good names in content.
    private static let surroundingsUnlessContent: Set<String> = ["parent", "next", "screen", "bundle", "widget"]

    /// Returns the first component that leaves the object, and its offset in UTF-8 bytes.
    static func exit(of path: String, _ use: Use) -> (component: String, offset: Int)? {
        let isContent = use == .readFromItem || path == "content" || path.hasPrefix("content.")
        var offset = 0
        var rest = path[...]
        while true {
            let dot = rest.utf8.firstIndex(of: UInt8(ascii: "."))
            let component = dot.map { rest[..<$0] } ?? rest
            let isJudged =
                switch use {
                case .read: offset > 0
                case .readFromItem: true
                case .assigned: dot != nil
                }
            if isJudged, leaves(component, isContent: isContent) { return (String(component), offset) }
            guard let dot else { return nil }
            offset += component.utf8.count + 1
            rest = rest[rest.utf8.index(after: dot)...]
        }
    }

    /// True for the name of a property that leads out of the object which has it.
    static func leaves(_ component: some StringProtocol, isContent: Bool) -> Bool {
        let name = String(component)
        return surroundings.contains(name) || (!isContent && surroundingsUnlessContent.contains(name))
    }
}
