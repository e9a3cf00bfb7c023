internal import WidgetCore

/// The keys of a scheme, level by level. A member called `***` is a comment, at every level.
package enum SchemeKeys {
    /// A member that is a comment.
    package static let comment = "***"
    /// A member of a file that says where its schema is. Only editors read it.
    package static let schema = AuthoredKey("$schema", .text, "where the schema of this file is, for editors")

    /// A screen's scheme: the member of the file that is called like the file.
    package static let scheme = [
        AuthoredKey("objects", .named(object), "the mediators of the screen, by their names"),
        AuthoredKey("elements", .named(element), "what is added to elements, by their names; @self is the screen"),
        AuthoredKey("defaults", .object, "the values of settings until they are set (ours)"),
    ]

    package static let object = [
        AuthoredKey("type", .choice(types), "the class of the mediator"),
        AuthoredKey("alias", .text, "a second name"),
        AuthoredKey("attrs", .object, "the attributes of its class"),
        AuthoredKey("evals", .named(evaluation), "expressions for cellIdentifier and searchCellIdentifier"),
        AuthoredKey("outlets", .object, "the names of what it is connected to: one for each outlet, or an array"),
    ]

    /// The classes of mediators that a scheme can make.
    package static var types: [String] { MediatorClass.all.keys.filter { $0 != MediatorClass.root }.sorted() }

    package static let element = [
        AuthoredKey("attrs", .object, "properties of the element, and their values"),
        AuthoredKey("bindings", .list(binding), "ways from values to properties of the element"),
        AuthoredKey("outlets", .object, "the names of elements that it is connected to, such as the fields of a form"),
        AuthoredKey("action", .members(action), "what a tap does, instead of what the interface says"),
        AuthoredKey("validation", .members(validation), "the rules of a form's field (ours)"),
        AuthoredKey(document, .text, "the document that fills the view (ours)"),
        AuthoredKey(documentValues, .object, "values for the parameters of the document (ours)"),
    ]

    /// The key of the document that an element or its action shows.
    static let document = "document"
    /// The key of the values of its parameters.
    static let documentValues = "with"
    /// The key of an action that presents its document in front of the screen.
    static let documentIsPresented = "presented"

    package static let validation = [
        AuthoredKey("required", .boolean, "true if it may not be empty"),
        AuthoredKey("pattern", .text, "a regular expression that the whole text matches"),
        AuthoredKey("minimumLength", .number, "the fewest characters"),
        AuthoredKey("maximumLength", .number, "the most characters"),
        AuthoredKey("minimum", .any, "the least number or the earliest date"),
        AuthoredKey("maximum", .any, "the greatest number or the latest date"),
        AuthoredKey("predicateFormat", .predicate, "a predicate about the values of the form"),
        AuthoredKey("message", .any, "the text when a rule is broken, or a text for each rule"),
    ]

    package static let action = [
        AuthoredKey("target", .text, "the object that does it; @self is the screen"),
        AuthoredKey("selector", .text, "its action, such as performAction"),
        AuthoredKey(document, .text, "a document that is shown instead (ours)"),
        AuthoredKey(documentValues, .object, "values for the parameters of the document (ours)"),
        AuthoredKey(documentIsPresented, .boolean, "true if the document comes in front of the screen (ours)"),
    ]

    package static let binding =
        [AuthoredKey("to", .keyPath, "the property; wx_value, the main one, if it is absent")] + evaluation

    /// The keys of a binding that make its value.
    package static let evaluation = [
        AuthoredKey("from", .keyPath, "the way to the value, such as content.title"),
        AuthoredKey("predicateFormat", .predicate, "a predicate about the value"),
        AuthoredKey("ifTrue", .any, "the value if the predicate is true; a text is filled in"),
        AuthoredKey("ifFalse", .any, "the value if the predicate is false; a text is filled in"),
        AuthoredKey("transformer", .transformer, "a transformer for the value"),
        AuthoredKey("format", .format, "a text with %@ for the value, or $name for a key of it"),
        AuthoredKey("placeholder", .any, "the value if nothing else gives one"),
    ]

    /// The attributes of `@self`.
    package static let screen = [
        AuthoredKey("serviceProviderClassName", .provider, "the service of the screen's actions"),
        AuthoredKey("deriveSegueContent", .boolean, "false if the screen does not take the content of a touched row"),
        AuthoredKey("useDynamicBindings", .boolean, "true if bindings follow their values at once"),
        AuthoredKey("clearsSelectionOnViewWillAppear", .boolean, "false if a touched row stays selected"),
        AuthoredKey("content", .any, "the content to begin with"),
        AuthoredKey("title", .text, "the title"),
        AuthoredKey("navigationItem.title", .text, "the title"),
    ]

    /// Attributes of any screen that have no effect on its content.
    static let plainScreenNames: Set<String> = [
        "automaticallyAdjustsScrollViewInsets", "definesPresentationContext", "edgesForExtendedLayout",
        "extendedLayoutIncludesOpaqueBars", "hidesBottomBarWhenPushed", "modalPresentationStyle",
        "modalTransitionStyle",
    ]

    /// The outlets of `@self`.
    package static let screenOutlets = ["tableView", "collectionView", "titleLabel", "activityIndicator"]

    /// The targets of bindings of `@self`; a setting is `defaults.` with its name.
    package static let screenTargets = ["title", "content", "wx_dismissed", "defaults."]

    /// The mediators' attributes that `evals` may have.
    package static let evaluated = ["cellIdentifier", "searchCellIdentifier"]
}

/// The keys of a service description, level by level.
package enum ServiceKeys {
    package static let file = [
        SchemeKeys.schema,
        AuthoredKey("defaults", .members(defaults), "what all actions have, unless they say otherwise"),
        AuthoredKey("actions", .named(action), "the actions, by their names"),
        AuthoredKey("options", .members(options), "settings of the service, and transformers"),
        AuthoredKey("auth", .members(authorization), "the authorization of actions that need one"),
    ]

    package static let defaults =
        [AuthoredKey("baseUrl", .text, "the address that paths are appended to")] + shared

    package static let action =
        [
            AuthoredKey("path", .format, "the rest of the address; absolute if it begins with http"),
            AuthoredKey("resultType", .resultType, "the entity that the answer is stored as"),
            AuthoredKey("clearPolicy", .choice(["none", "before", "after"]), "when the entity's records are deleted"),
            AuthoredKey("nextAction", .action, "the action that follows a success"),
            AuthoredKey("set", .object, "properties that every stored record gets"),
            AuthoredKey("isUpload", .boolean, "true if pictures or files are sent"),
            AuthoredKey("multipart", .textsByName, "the parts of an upload, and the kinds of their files"),
            AuthoredKey("response", .any, "the answer of a stub, as a server would give it"),
            AuthoredKey("optimistic", .textsByName, "a record that is shown until the answer is there (ours)"),
            AuthoredKey("records", .list(change), "changes of stored records instead of a request (ours)"),
        ] + shared

    /// The keys that an action may have, and `defaults` for all of them.
    package static let shared = [
        AuthoredKey("httpMethod", .choice(methods), "the method; GET if it is absent"),
        AuthoredKey("headers", .object, "headers of the request"),
        AuthoredKey("parameters", .object, "parameters of the request; $name is filled in"),
        AuthoredKey("resultKeyPath", .keyPath, "the way to the result in the answer"),
        AuthoredKey("errorKeyPath", .keyPath, "the way to the message in a refusal"),
        AuthoredKey("needAuth", .boolean, "true if the request needs the authorization of auth"),
        AuthoredKey(
            "parametersIn", .choice(ParameterPlace.allCases.map({ $0.rawValue })), "where parameters belong (ours)"),
        AuthoredKey("offline", .choice(["fail", "keep", "retry"]), "what is done without a network (ours)"),
        AuthoredKey("cacheSeconds", .number, "the seconds for which an answer is good (ours)"),
        AuthoredKey("idempotencyKey", .boolean, "true if the server recognises repeated requests by a key (ours)"),
    ]

    package static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]

    package static let change = [
        AuthoredKey("delete", .entity, "the entity whose records are deleted"),
        AuthoredKey("change", .entity, "the entity whose records are changed"),
        AuthoredKey("where", .predicate, "a predicate that chooses among them; all if it is absent"),
        AuthoredKey("set", .object, "the attributes that change, and their values"),
    ]

    package static let options = [
        AuthoredKey("transformers", .members(transformers), "transformers of the widget"),
        AuthoredKey("debugDelay", .number, "the seconds that an answer of a stub takes"),
        AuthoredKey(
            "unknownActionFails", .boolean, "true if statuses show a failure of an action that is not there (ours)"),
    ]

    package static let transformers = [
        AuthoredKey("date", .named(dateTransformer), "formats of dates, by the names of their transformers")
    ]

    package static let styles = ["none", "short", "medium", "long", "full"]

    package static let dateTransformer = [
        AuthoredKey("format", .text, "a pattern such as yyyy-MM-dd"),
        AuthoredKey("dateStyle", .choice(styles), "the length of the date"),
        AuthoredKey("timeStyle", .choice(styles), "the length of the time"),
        AuthoredKey("locale", .text, "the language of names, such as en_US"),
    ]

    package static let authorization =
        [
            AuthoredKey("setting", .text, "the setting whose text is the authorization (ours)"),
            AuthoredKey("header", .text, "its header; Authorization if it is absent (ours)"),
            AuthoredKey("scheme", .text, "the word before it; Bearer if it is absent (ours)"),
        ] + browser

    /// The keys of an authorization through a browser, as the framework's Twitter sample has them.
    package static let browser = [
        AuthoredKey("url", .text, "where the user signs in; the work of a host"),
        AuthoredKey("requestTokenPath", .text, "the path of a request token; the work of a host"),
        AuthoredKey("accessTokenPath", .text, "the path of an access token; the work of a host"),
        AuthoredKey("callbackUrl", .text, "where the browser returns to; the work of a host"),
    ]
}
