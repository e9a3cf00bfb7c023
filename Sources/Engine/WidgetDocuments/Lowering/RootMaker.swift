internal import JSONText
internal import WidgetCore

extension SceneMaker {
    /// The root of a screen: a list of elements is a stack, and what is higher than the screen scrolls.
    mutating func root(_ value: DocumentValue, _ words: Lexicon) throws(ElementFault) -> NodeID {
        let root = try add(.box, at: value.place, isOfScreen: true)
        nodes[root].frame = Frame(x: 0, y: 0, width: screenSize.width, height: screenSize.height)
        // A widget that is made for the overlay of a host lets its ground through.
        if !isOverlay { looks[root].appearance.background = .role(.background) }
        looks[root].appearance.tint = words.theme.colors[Theme.accent]
        var content: [NodeID] = []
        for element in value.asList {
            content += try lower(element, words)
        }
        guard !content.isEmpty else { return root }
        let isAlone = content.count == 1
        let isScrolling = looks[content[0]].scrolling != nil
        if isAlone, isScrolling {
            attach(content[0], to: root)
            fill(content[0], in: root)
            return root
        }
        let stack = try add(.box, at: value.place, isOfScreen: true)
        looks[stack].stack = .along(.vertical, spacing: SceneMaker.spacing)
        for node in content { attach(node, to: stack) }
        guard !looks.contains(where: { $0.scrolling != nil }) else {
            // A part of it scrolls, and gets the room that the others leave.
            attach(stack, to: root)
            fill(stack, in: root, .safeArea)
            // Nothing in it lies under a bar.
            for place in looks.indices { looks[place].scrolling?.adjustment = .never }
            return root
        }
        let view = try add(.box, at: value.place, isOfScreen: true)
        looks[view].scrolling = Scrolling()
        attach(view, to: root)
        fill(view, in: root)
        attach(stack, to: view)
        scroll(stack, in: view, horizontal: false, vertical: true, margin: SceneMaker.margin)
        return root
    }

    private var screenSize: Size { Size(width: 375, height: 667) }

    private static let spacing = 8.0
    private static let margin = 16.0
}
