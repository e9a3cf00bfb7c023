internal import JSONText

/// The values that absent members of schemes and service descriptions have, for editors.
enum AuthoredDefaults {
    /// Of mediators' attributes and of a screen's.
    static let attributes: [String: JSONSchema.Scalar] = [
        "sortAscending": .flag(true), "cellIdentifier": .text("Cell"), "sectionHeaderIdentifier": .text("Header"),
        "sectionFooterIdentifier": .text("Footer"), "collectSelectedObjects": .flag(false),
        "allowDeletion": .flag(false), "defaultSelectionBehavior": .flag(false), "deletesOnSuccess": .flag(false),
        "circleScrollFactor": .number(100), "actionDelay": .number(0), "interval": .number(60),
        "trackScrollDown": .flag(true), "minimumTextLength": .number(1), "filterThrottleInterval": .fraction(0.5),
        "actionThrottleInterval": .fraction(0.5), "dynamicSearch": .flag(false), "searchOnReturn": .flag(true),
        "deriveSegueContent": .flag(true), "useDynamicBindings": .flag(false),
        "clearsSelectionOnViewWillAppear": .flag(true),
    ]

    /// Of service descriptions.
    static let services: [String: JSONSchema.Scalar] = [
        "httpMethod": .text("GET"), "resultKeyPath": .text(""), "errorKeyPath": .text("error"),
        "needAuth": .flag(false), "clearPolicy": .text("none"), "isUpload": .flag(false), "offline": .text("fail"),
        "parametersIn": .text("body"), "cacheSeconds": .number(0), "idempotencyKey": .flag(false),
        "debugDelay": .number(0), "unknownActionFails": .flag(false), "dateStyle": .text("none"),
        "timeStyle": .text("none"), "locale": .text("en_US_POSIX"), "header": .text("Authorization"),
        "scheme": .text("Bearer"),
    ]
}
