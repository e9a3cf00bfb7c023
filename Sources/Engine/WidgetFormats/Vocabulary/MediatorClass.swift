/// A class of the framework, and the properties that it adds to those of its superclasses.
package struct MediatorClass: Sendable {
    package var parent: String?
    /// One line of plain English.
    package var line: String
    package var attributes: [AuthoredKey]
    package var outlets: [MediatorOutlet]

    private init(
        _ parent: String?, _ line: String, attributes: [AuthoredKey] = [], outlets: [MediatorOutlet] = []
    ) {
        self.parent = parent
        self.line = line
        self.attributes = attributes
        self.outlets = outlets
    }

    /// By their names, as schemes and interfaces write them.
    package static let all: [String: MediatorClass] = providers.merging(displays) { first, _ in first }
        .merging(actions) { first, _ in first }

    /// A class that has no objects, only subclasses.
    package static let root = "CustomIBObject"

    // MARK: - Providers

    private static let providers: [String: MediatorClass] = [
        root: MediatorClass(
            nil, "What all mediators have",
            attributes: [
                AuthoredKey("wx.identifier", .text, "its name, in an interface"),
                AuthoredKey("alias", .text, "a second name"),
            ]),
        "BaseContentProvider": MediatorClass(
            root, "Items in memory, ordered and filtered", attributes: providing,
            outlets: [
                MediatorOutlet("masterObject", .anything, "the object that masterKeyPath begins at")
            ]),
        "ItemsCollection": MediatorClass(
            "BaseContentProvider", "The collection at masterKeyPath of masterObject"),
        "ManagedObjectsProvider": MediatorClass(
            "BaseContentProvider", "The stored records of an entity",
            attributes: [
                AuthoredKey("entityName", .entity, "the entity whose records are shown"),
                AuthoredKey("groupByField", .keyPath, "the field whose values make sections"),
                AuthoredKey("cacheName", .text, "read, and of no effect here"),
                AuthoredKey("fetchLimit", .number, "the most records to show (ours)"),
            ]),
        "ManagedObjectsCollection": MediatorClass(
            "ManagedObjectsProvider", "The result of a chain of records, as items"),
        "JSONFileDataProvider": MediatorClass(
            "BaseContentProvider", "The objects of a JSON file of the bundle",
            attributes: [AuthoredKey("fileName", .text, "the file's name without .json")]),
    ]

    private static let providing: [AuthoredKey] = [
        AuthoredKey("sortByFields", .fields, "the fields to sort by, the first one first"),
        AuthoredKey("sortAscending", .boolean, "false for the reverse order"),
        AuthoredKey("predicateFormat", .predicate, "a predicate that an item must meet to be shown"),
        AuthoredKey("filterFormat", .predicate, "a predicate about an item and $input, the text of a search"),
        AuthoredKey("searchString", .text, "the text of the search to begin with"),
        AuthoredKey("masterKeyPath", .keyPath, "the way from the master object to the items, or to it from a record"),
        AuthoredKey("resultChain", .texts, "the steps from the items to the provider's value"),
        AuthoredKey("resultChainArgs", .texts, "one argument for each step of the chain"),
        AuthoredKey("resultChainTxt", .texts, "resultChain as one text, for interfaces"),
        AuthoredKey("resultChainArgsTxt", .texts, "resultChainArgs as one text, for interfaces"),
        AuthoredKey("items", .any, "the items themselves (ours)"),
    ]

    // MARK: - Displays

    private static let displays: [String: MediatorClass] = [
        "BaseDisplayController": MediatorClass(
            root, "Refreshes its elements when its provider changes",
            attributes: [AuthoredKey("renderOn", .text, "a signal that refreshes them too, such as notesSuccess")],
            outlets: [
                MediatorOutlet("mainContentProvider", .provider, "the provider that is shown"),
                MediatorOutlet("searchController", .action, "the search whose results are shown instead"),
                MediatorOutlet("elements", .elements, "the elements whose bindings are evaluated again"),
            ]),
        "ContentDisplayController": MediatorClass(
            "BaseDisplayController", "Makes the provider's value the content of the screen"),
        "TableDisplayController": MediatorClass(
            "BaseDisplayController", "Shows items as rows of a table", attributes: rows + tables,
            outlets: [
                MediatorOutlet("tableView", .list, "the table"),
                MediatorOutlet("emptyDataView", .elements, "the element that is shown when there are no rows"),
                MediatorOutlet("contentHeightConstraint", .constraint, "read, and of no effect here"),
                MediatorOutlet("deleteController", .action, "the action that deletes a swiped row"),
            ]),
        "TableInfiniteScrollController": MediatorClass(
            "TableDisplayController", "A table that loads more at its ends",
            attributes: [
                AuthoredKey("scrollUpThreshhold", .number, "0 or less for no loading at the beginning"),
                AuthoredKey("scrollDownThreshhold", .number, "0 or less for no loading at the end"),
            ]),
        "CollectionDisplayController": MediatorClass(
            "BaseDisplayController", "Shows items as cells of a collection", attributes: rows + collections,
            outlets: [
                MediatorOutlet("collectionView", .list, "the collection"),
                MediatorOutlet("emptyDataView", .elements, "the element that is shown when there are no cells"),
            ]),
        "CollectionPageScrollController": MediatorClass(
            "CollectionDisplayController", "A collection with a page control",
            attributes: [AuthoredKey("pagingEnabled", .boolean, "read, and of no effect here")],
            outlets: [MediatorOutlet("pageControl", .pageControl, "the page control")]),
        "CollectionCircleScrollController": MediatorClass(
            "CollectionDisplayController", "A collection whose items go round",
            attributes: [AuthoredKey("circleScrollFactor", .number, "the number of times that the items come")]),
    ]

    private static let rows: [AuthoredKey] = [
        AuthoredKey("cellIdentifier", .text, "the cell of each row; Cell if it is absent"),
        AuthoredKey("searchCellIdentifier", .text, "the cell of each row while searching"),
        AuthoredKey("cellNibNames", .texts, "interfaces with further cells, by the names of their files"),
        AuthoredKey("performSegueForCells", .number, "1 if a touched row follows the segue named after its cell"),
        AuthoredKey("collectSelectedObjects", .boolean, "true if selected rows are collected"),
    ]

    private static let tables: [AuthoredKey] = [
        AuthoredKey("sectionHeaderIdentifier", .text, "the cell above a section"),
        AuthoredKey("sectionFooterIdentifier", .text, "the cell below a section"),
        AuthoredKey("animateReload", .boolean, "read, and of no effect here"),
        AuthoredKey("maxHeight", .number, "read, and of no effect here"),
        AuthoredKey("systemAutomaticDimensionEnabled", .boolean, "read, and of no effect here"),
        AuthoredKey("allowDeletion", .boolean, "true if own records can be swiped away"),
        AuthoredKey("defaultSelectionBehavior", .boolean, "true if rows stay selected"),
        AuthoredKey("deletesOnSuccess", .boolean, "true if a row goes only after the service's success (ours)"),
    ]

    private static let collections: [AuthoredKey] = [
        AuthoredKey("centerContent", .boolean, "read, and of no effect here"),
        AuthoredKey("cellWidthHint", .number, "read, and of no effect here"),
        AuthoredKey("cellHeightHint", .number, "read, and of no effect here"),
    ]

    // MARK: - Actions

    private static let actions: [String: MediatorClass] = [
        "ActionController": MediatorClass(
            root, "Performs an action when it is asked to", attributes: acting,
            outlets: [
                MediatorOutlet("target", .anything, "an object that performs the action instead of the service"),
                MediatorOutlet("sender", .elements, "the element that sets it off"),
                MediatorOutlet("cancelButton", .elements, "the button that cancels it"),
                MediatorOutlet("form", .elements, "the form whose values are sent"),
                MediatorOutlet("serviceProvider", .anything, "read, and of no effect here"),
            ]),
        "ButtonActionController": MediatorClass("ActionController", "Acts when its button is tapped"),
        "BarButtonActionController": MediatorClass("ActionController", "Acts when its bar button is tapped"),
        "OnLoadActionController": MediatorClass("ActionController", "Acts once the screen has loaded"),
        "TimerActionController": MediatorClass(
            "ActionController", "Acts again and again",
            attributes: [AuthoredKey("interval", .number, "the seconds between two times; 60 if it is absent")]),
        "TableRefreshActionController": MediatorClass("ActionController", "Acts when its list is pulled down"),
        "InfiniteScrollActionController": MediatorClass(
            "ActionController", "Acts at an end of its list",
            attributes: [AuthoredKey("trackScrollDown", .boolean, "false for the beginning of the list")]),
        "SearchActionController": MediatorClass(
            "ActionController", "Filters a provider by the text of its field, and searches with it",
            attributes: searching,
            outlets: [MediatorOutlet("contentProvider", .provider, "the provider of what is found")]),
        "StandardMediaPickerController": MediatorClass(
            "ActionController", "Lets the user choose a picture or a film",
            attributes: [
                AuthoredKey("showOptions", .boolean, "true if the user chooses between camera and library"),
                AuthoredKey("imagesOnly", .boolean, "true for pictures without films"),
                AuthoredKey("cameraTitle", .text, "the title of the camera"),
                AuthoredKey("libraryTitle", .text, "the title of the library"),
                AuthoredKey("cancelTitle", .text, "the title of the way back"),
            ], outlets: [MediatorOutlet("forms", .elements, "the forms that take what was chosen")]),
        "ActionStatusController": MediatorClass(
            root, "Follows an action, and refreshes its elements",
            attributes: [
                AuthoredKey("actionName", .action, "the action that it follows"),
                AuthoredKey("errorTitle", .text, "the title of the alert after a failure"),
                AuthoredKey("errorMessage", .text, "the message of the alert; no alert if it is absent"),
            ],
            outlets: [
                MediatorOutlet("elements", .elements, "the elements whose bindings are evaluated again"),
                MediatorOutlet("owner", .anything, "read, and of no effect here"),
            ]),
    ]

    private static let acting: [AuthoredKey] = [
        AuthoredKey("actionName", .action, "the action that is performed"),
        AuthoredKey("elseActionName", .action, "the action if the predicate is false"),
        AuthoredKey("predicateFormat", .predicate, "a predicate that decides between the two actions"),
        AuthoredKey("actionDelay", .number, "the seconds to wait before"),
        AuthoredKey("serviceProviderClassName", .provider, "the class whose service performs the action"),
    ]

    private static let searching: [AuthoredKey] = [
        AuthoredKey("filterFormat", .predicate, "a predicate about an item and $input, the text of the search"),
        AuthoredKey("minimumTextLength", .number, "the letters that a search needs"),
        AuthoredKey("filterThrottleInterval", .number, "the seconds without typing before filtering; 0.5 if absent"),
        AuthoredKey("actionThrottleInterval", .number, "the seconds without typing before searching; 0.5 if absent"),
        AuthoredKey("dynamicSearch", .boolean, "true if a text field searches while it is typed into"),
        AuthoredKey("searchOnReturn", .boolean, "false if return does not search"),
    ]
}

/// A connection of a mediator to others of its screen.
package struct MediatorOutlet: Sendable {
    /// The things that an outlet may lead to.
    package enum Target: Sendable {
        case anything, provider, action, elements, list, pageControl, constraint

        /// With its article, for a sentence.
        var name: String {
            switch self {
            case .anything: "a thing"
            case .provider: "a content provider"
            case .action: "an action controller"
            case .elements: "an element"
            case .list: "a table or collection"
            case .pageControl: "a page control"
            case .constraint: "a constraint"
            }
        }
    }

    package var name: String
    package var target: Target
    package var line: String

    init(_ name: String, _ target: Target, _ line: String) {
        self.name = name
        self.target = target
        self.line = line
    }
}

extension MediatorClass {
    /// The class and its superclasses.
    package static func lineage(of name: String) -> [String] {
        var names: [String] = []
        var next: String? = name
        while let name = next, names.count < 8, let known = all[name] {
            names.append(name)
            next = known.parent
        }
        return names
    }

    /// All attributes of a class, its own before those of its superclasses.
    package static func attributes(of name: String) -> [AuthoredKey] {
        lineage(of: name).flatMap { all[$0]?.attributes ?? [] }
    }

    /// All outlets of a class, its own before those of its superclasses.
    package static func outlets(of name: String) -> [MediatorOutlet] {
        lineage(of: name).flatMap { all[$0]?.outlets ?? [] }
    }

    /// The attribute of that name, which a class has or inherits.
    static func attribute(_ key: String, of name: String) -> AuthoredKey? {
        var next: String? = name
        while let name = next, let known = all[name] {
            if let found = known.attributes.first(where: { $0.name == key }) { return found }
            next = known.parent
        }
        return nil
    }

    static func outlet(_ key: String, of name: String) -> MediatorOutlet? {
        var next: String? = name
        while let name = next, let known = all[name] {
            if let found = known.outlets.first(where: { $0.name == key }) { return found }
            next = known.parent
        }
        return nil
    }
}

/// The classes of the framework that interfaces name.
enum FrameworkClasses {
    static let controllers = ["ContentViewController", "StandardViewController"]

    static let views = [
        "ContentDisplayView", "ContentTableViewCell", "ContentCollectionViewCell", "FormDisplayView",
        "MediaUploadFormView", "UploadContainerView", "TextInputView", "WidgetView", "AnimatedConstraint",
        "ExpandingConstraint",
    ]

    /// All of them, sorted.
    static let names = (controllers + views + SchemeKeys.types).sorted()
    static let all = Set(names)
}
