internal import WidgetNib
internal import XMLText

/// Gestures. Their actions are connections like those of controls, without an event.
extension ElementRule {
    private static let directions = ["right": 1, "left": 2, "up": 4, "down": 8]

    private static let presses = ElementRule(
        className: "UILongPressGestureRecognizer", base: "gestureRecognizer",
        attributes: [
            "minimumPressDuration": .float("UILongPressGestureRecognizer.minimumPressDuration"),
            "allowableMovement": .float("UILongPressGestureRecognizer.allowableMovement"),
            "numberOfTapsRequired": .integer("UILongPressGestureRecognizer.numberOfTapsRequired"),
            "numberOfTouchesRequired": .integer("UILongPressGestureRecognizer.numberOfTouchesRequired"),
        ])

    static let gestures: [String: ElementRule] = [
        "gestureRecognizer": ElementRule(
            className: "UIGestureRecognizer",
            attributes: common.merging([
                "enabled": .opposite("UIGestureRecognizer.disabled", default: true),
                "cancelsTouchesInView": .truth("UIGestureRecognizer.cancelsTouchesInView", default: true),
                "delaysTouchesBegan": .truth("UIGestureRecognizer.delaysTouchesBegan", default: false),
                "delaysTouchesEnded": .truth("UIGestureRecognizer.delaysTouchesEnded", default: true),
                "requiresExclusiveTouchType": .look, "buttonMaskRequired": .look,
            ]) { $1 },
            looks: ["allowedTouchTypes"]),
        "tapGestureRecognizer": ElementRule(
            className: "UITapGestureRecognizer", base: "gestureRecognizer",
            attributes: [
                "numberOfTapsRequired": .integer("UITapGestureRecognizer.numberOfTapsRequired"),
                "numberOfTouchesRequired": .integer("UITapGestureRecognizer.numberOfTouchesRequired"),
            ]),
        "panGestureRecognizer": ElementRule(
            className: "UIPanGestureRecognizer", base: "gestureRecognizer",
            attributes: [
                "minimumNumberOfTouches": .integer("UIPanGestureRecognizer.minimumNumberOfTouches"),
                "maximumNumberOfTouches": .integer("UIPanGestureRecognizer.maximumNumberOfTouches"),
                "allowedScrollTypesMask": .look,
            ]),
        "screenEdgePanGestureRecognizer": ElementRule(
            className: "UIScreenEdgePanGestureRecognizer", base: "panGestureRecognizer"),
        "pinchGestureRecognizer": ElementRule(
            className: "UIPinchGestureRecognizer", base: "gestureRecognizer",
            attributes: ["scale": .double("UIPinchGestureRecognizer.scale")]),
        "rotationGestureRecognizer": ElementRule(
            className: "UIRotationGestureRecognizer", base: "gestureRecognizer",
            attributes: ["rotation": .double("UIRotationGestureRecognizer.rotation")]),
        "swipeGestureRecognizer": ElementRule(
            className: "UISwipeGestureRecognizer", base: "gestureRecognizer",
            attributes: [
                "direction": .choice("UISwipeGestureRecognizer.direction", directions),
                "numberOfTouchesRequired": .integer("UISwipeGestureRecognizer.numberOfTouchesRequired"),
            ]),
        "hoverGestureRecognizer": ElementRule(className: "UIHoverGestureRecognizer", base: "gestureRecognizer"),
        // Xcode spells it so.
        "pongPressGestureRecognizer": presses, "longPressGestureRecognizer": presses,
    ]
}

extension InterfaceSource {
    static let gestureLeaves: [String: Set<String>] = [
        "rectEdge": ["key", "top", "left", "bottom", "right"],
        "allowedTouchTypes": ["key", "direct", "indirect", "pencil", "indirectPointer", "stylus"],
    ]
}

extension NibCompiler {
    /// Returns a bit for each edge that is marked.
    func edges(_ element: XMLElement) -> Int {
        var bits = 0
        for (position, name) in ["top", "left", "bottom", "right"].enumerated() where element[name] == "YES" {
            bits |= 1 << position
        }
        return bits
    }
}
