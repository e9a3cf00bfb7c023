internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// Makes nodes of views: a class determines the kind, and archives its properties.
enum ElementReader {
    private static let kinds: [String: NodeKind] = [
        "UILabel": .label, "UIButton": .button, "UIImageView": .image, "UITextField": .textField,
        "UITextView": .textArea, "UISearchBar": .searchField, "UITableView": .list, "UICollectionView": .grid,
        "UIActivityIndicatorView": .activity, "UIProgressView": .progress, "UISwitch": .toggle, "UISlider": .slider,
        "UIStepper": .stepper, "UISegmentedControl": .segments, "UIDatePicker": .datePicker,
        "UIPageControl": .pageControl, "UIPickerView": .picker, "UIWebView": .web, "WKWebView": .web,
        "UIBarButtonItem": .button,
        "UITableViewCell": .row, "UICollectionViewCell": .row,
    ]

    private static let customKinds: [String: NodeKind] = [
        "FormDisplayView": .form, "MediaUploadFormView": .form, "TextInputView": .textField,
        "ContentTableViewCell": .row, "ContentCollectionViewCell": .row,
    ]

    static func kind(of element: NibElement) -> NodeKind {
        if let name = element.customClassName, let kind = customKinds[name] ?? kinds[name] { return kind }
        if let kind = kinds[element.baseClassName] ?? kinds[element.className] { return kind }
        return CodeDrawnView.name(of: element).map { .unknown($0) } ?? .box
    }

    /// True for views that the system inserts and that have no meaning.
    static func isDecoration(_ element: NibElement) -> Bool {
        let name = element.baseClassName
        return name.hasPrefix("_UITableViewCellSeparator") || name == "UITableViewWrapperView"
            || name == "_UILayoutGuide"
    }

    static func node(
        _ element: NibElement, file: String, _ translations: Translations, _ limits: FormatLimits,
        _ diagnostics: inout [Finding]
    ) -> Node {
        var node = Node(kind(of: element), place: Place(file: file, path: element.shownClassName))
        node.frame = element.frame.map { Frame($0) }
        if element.boolean("UIHidden") == true, node.kind != .activity { set(.hidden, .boolean(true), &node) }
        if let alpha = element.double("UIAlpha"), alpha < 1 { set(.alpha, .double(alpha), &node) }
        if element.boolean("UIDisabled") == true || element.boolean("UIEnabled") == false {
            set(.disabled, .boolean(true), &node)
        }
        if let name = translations.text("UIAccessibilityLabel", of: element) {
            set(.accessibleName, .string(name), &node)
        }
        let count = limits.partCount
        read(element, &node, translations, upTo: count)
        if [.button, .segments].contains(node.kind), hasMoreParts(element, than: count) {
            diagnostics.append(
                Finding(
                    .error, .nodeBudget, "An element has more than \(count) segments or states", at: node.place,
                    hint: "the first ones count"))
        }
        if element.customClassName == "FormDisplayView" || element.customClassName == "MediaUploadFormView" {
            node.form = Form()
            if element.customClassName == "MediaUploadFormView" { node.form?.media = MediaForm() }
        }
        return node
    }

    private static func set(_ name: PropertyName, _ value: Value?, _ node: inout Node) {
        if let value { node[name] = .literal(value, place: node.place) }
    }

    private static func number(_ element: NibElement, _ key: String) -> Value? {
        element.double(key).map { Int64(exactly: $0).map { .integer($0) } ?? .double($0) }
    }

    private static func hasMoreParts(_ element: NibElement, than count: Int) -> Bool {
        element.elements("UISegments", upTo: count + 1).count > count
            || element.pairs("UIButtonStatefulContent", upTo: count + 1).count > count
    }

    private static func read(
        _ element: NibElement, _ node: inout Node, _ translations: Translations, upTo count: Int
    ) {
        switch node.kind {
        case .label:
            let text = translations.text("UIText", orAttributed: "UIAttributedText", of: element)
            set(.text, .string(text ?? ""), &node)
        case .textField, .textArea, .searchField:
            let text = translations.text("UIText", orAttributed: "UIAttributedText", of: element)
            set(.text, .string(text ?? ""), &node)
            let placeholder = translations.text("UIPlaceholder", orAttributed: "UIAttributedPlaceholder", of: element)
            set(.placeholder, placeholder.map { .string($0) }, &node)
            if element.boolean("UISecureTextEntry") == true { set(.isSecure, .boolean(true), &node) }
            if element.boolean("UIEditable") == false { set(.readOnly, .boolean(true), &node) }
        case .button: readButton(element, &node, translations, upTo: count)
        case .image: set(.image, element.imageName("UIImage").map { .string($0) }, &node)
        case .activity:
            set(.hidesWhenStopped, .boolean(element.boolean("UIHidesWhenStopped") ?? true), &node)
            set(.active, .boolean(element.boolean("UIAnimating") ?? false), &node)
        case .progress: set(.value, number(element, "UIProgress") ?? .integer(0), &node)
        case .toggle:
            set(.value, .boolean(element.boolean("UISwitchOn") ?? element.boolean("UIOn") ?? false), &node)
        case .slider, .stepper:
            set(.value, number(element, "UIValue") ?? number(element, "UIStepperValue") ?? .integer(0), &node)
            set(.minimum, number(element, "UIMinValue") ?? number(element, "UIStepperMinimumValue"), &node)
            set(.maximum, number(element, "UIMaxValue") ?? number(element, "UIStepperMaximumValue"), &node)
            set(.step, number(element, "UIStepperStepValue"), &node)
        case .list, .grid:
            if element.boolean("UIAllowsMultipleSelection") == true {
                set(.selectsSeveral, .boolean(true), &node)
            }
        case .segments:
            let titles = element.elements("UISegments", upTo: count).compactMap {
                translations.text("UISegmentInfo", of: $0) ?? translations.text("UITitle", of: $0)
            }
            set(.titles, .array(titles.map { .string($0) }), &node)
            set(.value, number(element, "UISelectedSegmentIndex") ?? .integer(0), &node)
        // Its titles come from a scheme, because interfaces have none.
        case .picker: set(.value, .integer(0), &node)
        case .datePicker:
            let mode = DateMode(number: element.integer("UIDatePickerMode") ?? 2) ?? .dateAndTime
            set(.dateMode, .string(mode.rawValue), &node)
            if mode == .countdown {
                set(.value, number(element, "UICountDownDuration") ?? .integer(0), &node)
                break
            }
            // Without a date, or if it shall begin with the time of its use, it has none until one is picked.
            guard element.boolean("UIDatePickerUseCurrentDateDuringDecoding") != true else { break }
            set(.value, element.element("UIDate")?.double("NS.time").map { .date($0) }, &node)
        case .pageControl:
            set(.value, number(element, "UICurrentPage") ?? .integer(0), &node)
            set(.pageCount, number(element, "UINumberOfPages"), &node)
        default: break
        }
    }

    private static func readButton(
        _ element: NibElement, _ node: inout Node, _ translations: Translations, upTo count: Int
    ) {
        if element.baseClassName == "UIBarButtonItem" || element.className == "UIBarButtonItem" {
            set(.text, .string(translations.text("UITitle", of: element) ?? ""), &node)
            set(.image, element.imageName("UIImage").map { .string($0) }, &node)
            if element.integer("UIStyle") == 2 { set(.isProminent, .boolean(true), &node) }
            name(&node, element.integer("UISystemItem").flatMap { systemItems[$0] }, translations)
            return
        }
        let states = element.pairs("UIButtonStatefulContent", upTo: count)
        let normal = states.first { $0.key.number == 0 }?.value ?? states.first?.value
        let stateTitle = normal.flatMap { translations.text("UITitle", orAttributed: "UIAttributedTitle", of: $0) }
        // The title of a configuration comes before those of states.
        let configuration = element.element("UIButtonConfiguration")
        let title = configuration?.element("UIButtonConfigurationTitle").flatMap {
            translations.text("NSString", of: $0)
        }
        set(.text, .string(title ?? stateTitle ?? translations.text("UINormalTitle", of: element) ?? ""), &node)
        let image = configuration?.imageName("UIButtonConfigurationImage") ?? normal?.imageName("UIImage")
        set(.image, image.map { .string($0) }, &node)
        if element.boolean("UISelected") == true { set(.selected, .boolean(true), &node) }
        name(&node, element.integer("UIButtonType").flatMap { buttonTypes[$0] }, translations)
    }

    /// Gives an element the system's name for it, unless its author gave it another.
    private static func name(_ node: inout Node, _ name: SystemWord?, _ translations: Translations) {
        if node[.accessibleName] == nil { set(.accessibleName, name.map { .string(translations.words[$0]) }, &node) }
    }

    private static let buttonTypes: [Int: SystemWord] = [2: .moreInfo, 3: .moreInfo, 4: .moreInfo, 5: .add]
    private static let systemItems: [Int: SystemWord] = [
        0: .done, 1: .cancel, 2: .edit, 3: .save, 4: .add, 7: .compose, 8: .reply, 9: .action, 10: .organize,
        11: .bookmarks, 12: .search, 13: .refresh, 14: .stop, 15: .camera, 16: .trash, 17: .play, 18: .pause,
        19: .rewind, 20: .fastForward, 21: .undo, 22: .redo,
    ]

    /// The title of a button of the system that has one. An author may have it read aloud in other words.
    static func systemTitle(of element: NibElement, _ words: SystemWords) -> String? {
        guard element.baseClassName == "UIBarButtonItem", let item = element.integer("UISystemItem"),
            item < titledItemCount
        else { return nil }
        return systemItems[item].map { words[$0] }
    }

    /// The first items of the system have titles, and the others pictures.
    private static let titledItemCount = 4
}
