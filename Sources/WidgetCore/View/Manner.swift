/// How a kind of node shows itself to whoever uses it.
struct Manner: Sendable {
    enum Naming: Sendable { case nothing, text, label, picture, placeholder, loading }
    enum Valuing: Sendable { case nothing, text, onOff, number, choice }

    let role: String
    let naming: Naming
    let valuing: Valuing
    /// Whether it is printed itself, and not by what is in it alone.
    let hasToken: Bool

    init(role: String = "group", naming: Naming = .nothing, valuing: Valuing = .nothing) {
        self.role = role
        self.naming = naming
        self.valuing = valuing
        hasToken = !["main", "banner", "list", "listitem", "form", "group"].contains(role)
    }

    static let group = Manner()

    static func of(_ kind: NodeKind) -> Manner { table[kind.place] }

    /// By the places of kinds: every node of a view asks, and views can have very many.
    private static let table: [Manner] = {
        var table = [Manner](repeating: .group, count: NodeKind.tableSize)
        let known: [(NodeKind, Manner)] = [
            (.screen, Manner(role: "main")), (.bar, Manner(role: "banner")), (.form, Manner(role: "form")),
            (.list, Manner(role: "list")), (.grid, Manner(role: "list")), (.row, Manner(role: "listitem")),
            (.web, Manner(role: "document")),
            (.label, Manner(role: "text", naming: .label)),
            (.barTitle, Manner(role: "heading", naming: .text)),
            (.button, Manner(role: "button", naming: .text)),
            (.image, Manner(role: "img", naming: .picture)),
            (.textField, Manner(role: "textbox", naming: .placeholder, valuing: .text)),
            (.textArea, Manner(role: "textbox", naming: .placeholder, valuing: .text)),
            (.searchField, Manner(role: "searchbox", naming: .placeholder, valuing: .text)),
            (.activity, Manner(role: "progressbar", naming: .loading)),
            (.progress, Manner(role: "progressbar", valuing: .number)),
            (.toggle, Manner(role: "switch", valuing: .onOff)),
            (.slider, Manner(role: "slider", valuing: .number)),
            (.pageControl, Manner(role: "slider", valuing: .number)),
            (.stepper, Manner(role: "spinbutton", valuing: .number)),
            (.datePicker, Manner(role: "textbox", valuing: .number)),
            (.segments, Manner(role: "radiogroup", valuing: .choice)),
        ]
        for (kind, manner) in known { table[kind.place] = manner }
        return table
    }()
}
