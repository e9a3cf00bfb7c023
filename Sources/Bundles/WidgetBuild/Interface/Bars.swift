internal import WidgetNib
internal import XMLText

/// Parts of bars and of the items in them: attributes of titles, offsets, insets, titles of scopes.
extension InterfaceSource {
    static let barLeaves: [String: Set<String>] = ["offsetWrapper": ["key", "horizontal", "vertical"]]

    static let barHolders: [String: Set<String>] = ["textAttributes": ["key"], "scopeButtonTitles": ["key"]]
}

extension NibCompiler {
    private static let titleParts = ["fontDescription", "textColor", "textShadowColor", "textShadowOffset"]

    /// Writes font, colour and shadow of titles.
    mutating func writeTextAttributes(_ element: XMLElement, _ key: String, of number: Int) throws(BuildError) {
        var pairs: [(Int, Int)] = []
        var shadow: [(String, DraftNib.Value)] = []
        for child in element.children {
            switch (child.name, child["key"]) {
            case ("fontDescription", "fontDescription"): pairs.append((draft.text("NSFont"), try font(child)))
            case ("color", "textColor"): pairs.append((draft.text("NSColor"), try color(child)))
            case ("color", "textShadowColor"): shadow.append(("NSShadowColor", .object(try color(child))))
            case ("offsetWrapper", "textShadowOffset"):
                for (name, key) in [("horizontal", "NSShadowHoriz"), ("vertical", "NSShadowVert")]
                where child[name] != nil {
                    shadow.append((key, .content(.double(try self.number(name, of: child)))))
                }
            default:
                try notes.leaveOut(child, of: element, knowing: Self.titleParts, path: source.path)
            }
        }
        if !shadow.isEmpty {
            let object = draft.add("NSShadow")
            for (key, value) in shadow { draft.set(key, value, of: object) }
            pairs.append((draft.text("NSShadow"), object))
        }
        guard !pairs.isEmpty else { return }
        draft.set(key, .object(draft.dictionary(pairs)), of: number)
    }

    mutating func writeOffset(_ element: XMLElement, _ key: String, of number: Int) throws(BuildError) {
        var sides: [Double] = []
        for name in ["horizontal", "vertical"] {
            sides.append(element[name] == nil ? 0 : try self.number(name, of: element))
        }
        draft.set(key, numbers: sides, of: number)
    }

    mutating func writeScopes(_ list: XMLElement, of bar: Int, _ element: XMLElement) throws(BuildError) {
        var titles: [Int] = []
        for (position, child) in list.children.enumerated() {
            switch child.name {
            case "string", "mutableString":
                titles.append(try translatable(try text(of: child), "scopeButtonTitles[\(position)]", of: element))
            default: try notes.leaveOut(child, of: list, knowing: [], path: source.path)
            }
        }
        draft.set("UIScopeButtonTitles", .object(draft.list(titles)), of: bar)
    }
}
