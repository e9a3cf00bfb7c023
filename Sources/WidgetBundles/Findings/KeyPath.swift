/// A key path as a scheme writes it, judged by where it leads.
enum KeyPath {
    enum Use {
        /// Read from a screen's scope, where the first component is a name the scheme gave.
        case read
        /// Read from an item of a collection.
        case readFromItem
        /// Assigned: the last component is a property of the object reached before it.
        case assigned
    }

    /// Always the way from an object to its surroundings.
    private static let surroundings: Set<String> = [
        "superview", "superlayer", "window", "nextResponder", "parentViewController", "presentingViewController",
        "presentedViewController", "navigationController", "tabBarController", "splitViewController",
        "viewController", "storyboard", "class", "superclass", "isa", "undoManager", "managedObjectContext",
        "persistentStoreCoordinator", "delegate", "dataSource",
    ]

    /// The same of a view or a controller, but good names for a property of content.
    private static let surroundingsUnlessContent: Set<String> = ["parent", "next", "screen", "bundle", "widget"]

    /// The first component that leaves the object, and its offset in UTF-8 bytes.
    static func exit(of path: String, _ use: Use) -> (component: String, offset: Int)? {
        let components = path.split(separator: ".", omittingEmptySubsequences: false)
        let isContent = use == .readFromItem || components.first == "content"
        var offset = 0
        for (index, component) in components.enumerated() {
            let isJudged =
                switch use {
                case .read: index > 0
                case .readFromItem: true
                case .assigned: index < components.count - 1
                }
            let name = String(component)
            if isJudged, surroundings.contains(name) || (!isContent && surroundingsUnlessContent.contains(name)) {
                return (name, offset)
            }
            offset += component.utf8.count + 1
        }
        return nil
    }
}
