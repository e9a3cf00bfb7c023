import WidgetCore
import WidgetPredicates

/// A screen whose elements change at random: lists with sections, rows and lists in them, fields, controls and alerts.
struct RandomScreen {
    private var rows: [Int]
    private var longRows: [Int] = Array(1000..<1000 + 230)
    private var nodes: [NodeID: ViewNode] = [:]
    private var rowNodes: [Int: ViewNode] = [:]
    private var order: [NodeID]
    private var alert: String?
    private var screen = 1
    private var title = "t"
    private var next = 500
    private var headerAt: Int?
    private var hasBar = false
    private var margin = 0.0
    private var pictures: [String: NetworkPicture] = [:]
    private var turns = 0
    /// Both lists keep their ends in sight.
    private let keepsEnd: Bool

    private static let kinds: [NodeKind] = [
        .label, .button, .image, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .picker,
        .datePicker, .pageControl, .activity, .progress, .web, .form, .box, .unknown("Map"), .native,
    ]

    init(_ random: inout PageChangeRandom, keepsEnd: Bool = false) {
        self.keepsEnd = keepsEnd
        rows = Array(0..<Int.random(in: 0...6, using: &random))
        order = Array(10..<10 + RandomScreen.kinds.count).filter { _ in Bool.random(using: &random) }
        for id in 10..<10 + RandomScreen.kinds.count { renew(id, &random) }
        for row in rows + longRows { renew(row: row, &random) }
    }

    var longList: ViewKey { key(5) }

    private func key(_ node: NodeID, _ item: ItemKey? = nil) -> ViewKey {
        ViewKey(screen: screen, node: node, item: item)
    }

    var view: View {
        var children = order.compactMap { nodes[$0] }
        var listed: [ViewNode] = []
        for (place, row) in rows.enumerated() {
            if place == headerAt {
                listed.append(
                    ViewNode(
                        key(7, ItemKey(list: 4, number: row, isRecord: true, turn: -1)), .sectionHeader,
                        properties: [ViewProperty(.text, .string("Section"))]))
            }
            if let node = rowNodes[row] { listed.append(node) }
        }
        let keeps = keepsEnd ? [ViewProperty(.keeps, .string("end"))] : []
        children.append(
            ViewNode(
                key(4), .list, properties: keeps, children: listed, events: rows.count % 3 == 0 ? [.scrollEnd] : []))
        children.append(
            ViewNode(
                key(5), .list, properties: keeps, children: longRows.compactMap { rowNodes[$0] }, events: [.refresh]))
        if hasBar {
            children.insert(
                ViewNode(
                    key(-4), .bar,
                    children: [ViewNode(key(-5), .barTitle, properties: [ViewProperty(.text, .string(title))])]), at: 0)
        }
        var view = View(screen: "s\(screen)", title: title, root: ViewNode(key(0), .screen, children: children))
        if let alert {
            view.alerts = [View.Notice(key: ViewKey(screen: 90, node: -3), title: alert, message: "m", button: "OK")]
        }
        view.insets.top = margin
        view.pictures = pictures
        return view
    }

    private mutating func renew(_ id: NodeID, _ random: inout PageChangeRandom) {
        let kind = RandomScreen.kinds[id - 10]
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        let number = Int.random(in: 0...3, using: &random)
        var properties: [ViewProperty] = [ViewProperty(.text, .string(chance(4) ? "" : "Text <\(number)>\n&"))]
        if chance(3) { properties.append(ViewProperty(.placeholder, .string("P\(number)"))) }
        if chance(4) { properties.append(ViewProperty(.disabled, .boolean(true))) }
        if chance(4) { properties.append(ViewProperty(.focused, .boolean(true))) }
        if chance(5) { properties.append(ViewProperty(.readOnly, .boolean(true))) }
        if chance(4) { properties.append(ViewProperty(.accessibleName, .string("Name \(number)"))) }
        if chance(3) {
            properties.append(ViewProperty(.invalid, .boolean(true)))
            properties.append(ViewProperty(.fault, .string("wrong \(number)")))
        }
        let value: Value =
            switch kind {
            case .toggle: .boolean(number > 1)
            case .datePicker: .date(Double(number) * 3_600)
            default: .integer(Int64(number))
            }
        if !chance(5) { properties.append(ViewProperty(.value, value)) }
        let titles = ["Red", "Green", "Blue", chance(3) ? "Grey" : "Pink"].map { Value.string($0) }
        properties.append(ViewProperty(.titles, .array(titles)))
        properties.append(ViewProperty(.pageCount, .integer(4)))
        properties.append(ViewProperty(.maximum, .integer(4)))
        if number > 1 { properties.append(ViewProperty(.imageURL, .string(RandomScreen.address(number)))) }
        let over =
            chance(4) ? [ViewNode(key(id + 200), .label, properties: [ViewProperty(.text, .string("over"))])] : []
        nodes[id] = ViewNode(
            key(id), kind, properties: properties, children: over, events: kind == .button || chance(5) ? [.tap] : [])
    }

    private static func address(_ number: Int) -> String { "https://pictures.example/\(number).png" }

    private mutating func renew(row: Int, _ random: inout PageChangeRandom) {
        let item = ItemKey(list: row >= 1000 ? 5 : 4, number: row, isRecord: true)
        let number = Int.random(in: 0...9, using: &random)
        var children = (0...Int.random(in: 0...2, using: &random)).map { place in
            ViewNode(key(50 + place, item), .label, properties: [ViewProperty(.text, .string("L\(number)"))])
        }
        if row < 1000, row % 4 == 1 {
            children.append(
                ViewNode(
                    key(60, item), .list,
                    children: (0...(number % 3)).map { inner in
                        ViewNode(
                            key(61, ItemKey(list: 60, number: inner, isRecord: false, outer: item)), .row,
                            children: [], events: [.delete])
                    }))
        }
        if row % 5 == 2 {
            children.append(ViewNode(key(70, item), .textField, properties: [ViewProperty(.text, .string("f"))]))
        }
        if row % 3 == 0 {
            let address = ViewProperty(.imageURL, .string(RandomScreen.address(number % 4)))
            children.append(ViewNode(key(71, item), .image, properties: [address]))
        }
        rowNodes[row] = ViewNode(
            key(row >= 1000 ? 9 : 8, item), .row,
            properties: number > 7 ? [ViewProperty(.selected, .boolean(true))] : [], children: children,
            events: number > 4 ? [.select, .delete] : [.select])
    }

    /// Every seventh change is about a picture too.
    private mutating func changePictures() {
        turns += 1
        guard turns % 7 == 0 else { return }
        let states = [.awaited, NetworkPicture.file(name: "a.png", width: 9, height: 5), .failed("gone"), nil]
        pictures[RandomScreen.address(turns / 7 % 4)] = states[(turns / 28 + turns / 7) % 4]
    }

    mutating func change(_ random: inout PageChangeRandom) {
        func below(_ count: Int) -> Int { Int.random(in: 0..<max(1, count), using: &random) }
        changePictures()
        switch below(18) {
        case 0, 1, 2: if !order.isEmpty { renew(order[below(order.count)], &random) }
        case 3:
            let id = 10 + below(RandomScreen.kinds.count)
            if let place = order.firstIndex(of: id) {
                order.remove(at: place)
            } else {
                order.insert(id, at: below(order.count))
            }
        case 4: if order.count > 1 { order.insert(order.remove(at: below(order.count)), at: below(order.count)) }
        case 5, 6:
            next += 1
            rows.insert(next, at: below(rows.count + 1))
            renew(row: next, &random)
        case 7: if !rows.isEmpty { rows.remove(at: below(rows.count)) }
        case 8: if rows.count > 1 { rows.insert(rows.remove(at: below(rows.count)), at: below(rows.count)) }
        case 9: if !rows.isEmpty { renew(row: rows[below(rows.count)], &random) }
        case 10: headerAt = headerAt == nil ? below(rows.count) : nil
        case 11: alert = alert == nil ? "A\(below(3))" : nil
        case 12: title = "t\(below(2))"
        case 13:
            next += 1
            longRows.insert(1000 + next, at: below(longRows.count))
            renew(row: 1000 + next, &random)
        case 14: longRows.remove(at: below(longRows.count))
        case 15: longRows.insert(longRows.remove(at: below(longRows.count)), at: below(longRows.count))
        case 16:
            if below(3) == 0 {
                hasBar.toggle()
            } else {
                margin = Double(below(3))
            }
        default:
            renew(row: longRows[below(longRows.count)], &random)
            if below(6) == 0 {
                screen = 3 - screen
                for id in nodes.keys.sorted() { renew(id, &random) }
                for row in (rows + longRows) { renew(row: row, &random) }
            }
        }
    }
}
