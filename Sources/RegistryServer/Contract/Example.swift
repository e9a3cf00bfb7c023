/// One document of each shape, as JSON text. Tests hold each against its shape, and real answers against the same.
enum Example {
    static let file = """
        {"path":"Info.plist","size":1274,"sha256":"\(digest("3"))","offset":94,"compressedSize":826,"method":"deflate"}
        """
    static let candidate = """
        {"buckets":[0,2500],"release":"1.1~7","sha256":"\(digest("1"))","content":"\(digest("2"))","size":1503547,\
        "name":"WidgetDemo","url":"/v1/blobs/sha256/\(digest("1"))","published":"2026-11-21T10:00:00Z",\
        "minimumOSVersion":"10.0","minimumHostVersion":null,"files":[\(file)]}
        """
    static let resolution = """
        {"widgetIdentifier":"mobi.favio.WidgetDemo-1","bundleIdentifier":"mobi.favio.WidgetDemo","channel":"stable",\
        "sequence":41,"upToDate":false,"mandatory":false,"salt":"k3v9","candidates":[\(candidate)]}
        """
    static let channel = """
        {"channel":"stable","release":"1.1~7","rollout":2500,"base":"1.0~3","mandatory":false,"sequence":41,\
        "salt":"k3v9","changedAt":"2026-11-21T10:00:00Z"}
        """
    static let bundle = """
        {"bundleIdentifier":"mobi.favio.WidgetDemo","name":"WidgetDemo","latest":"1.1~7","releases":2,\
        "channels":[\(channel)]}
        """
    static let release = """
        {"bundleIdentifier":"mobi.favio.WidgetDemo","release":"1.1~7","shortVersion":"1.1","build":"7",\
        "name":"WidgetDemo","sha256":"\(digest("1"))","content":"\(digest("2"))","size":1503547,\
        "published":"2026-11-21T10:00:00Z","publishedBy":"ci","channels":["stable"],\
        "url":"/v1/blobs/sha256/\(digest("1"))"}
        """
    static let withdrawal = """
        {"at":"2026-11-22T08:30:00Z","reason":"crashes on launch"}
        """
    static let difference = """
        {"bundleIdentifier":"mobi.favio.WidgetDemo","from":"1.0~3","to":"1.1~7","added":[\(file)],"removed":[],\
        "changed":[],"unchanged":12,"transferBytes":826,"size":1503547}
        """
    static let change = """
        {"tag":97,"at":"2026-11-21T10:00:00Z","kind":"promote","bundleIdentifier":"mobi.favio.WidgetDemo",\
        "release":"1.1~7","channel":"stable","sequence":41,"by":"ci"}
        """
    static let report = """
        {"kept":[{"path":"Info.plist","kind":"property list","size":1274,"sha256":"\(digest("3"))"}],\
        "stripped":[{"path":"WidgetDemo","kind":"Mach-O","rule":"executable","size":91328,"sha256":"\(digest("4"))"}],\
        "warnings":[],"findings":[],"source":{"sha256":"\(digest("5"))","size":1610612},"content":"\(digest("2"))",\
        "sha256":"\(digest("1"))","size":1503547}
        """
    static let channelSetting = """
        {"release":"1.1~7","rollout":2500,"mandatory":false}
        """
    static let rollback = """
        {"to":"1.0~3"}
        """
    static let tokenRequest = """
        {"name":"ci","prefix":"mobi.favio","scopes":["publish"]}
        """
    static let token = """
        {"name":"ci","prefix":"mobi.favio","scopes":["publish"],"created":"2026-11-20T09:00:00Z"}
        """
    static let wellKnown = """
        {"api":["v1"],"server":"widgetd/1.0","time":"2026-11-21T10:00:00Z","limits":{"upload":67108864},\
        "policy":{"kept":["Info.plist","*.json"],"strict":false,"snapshotChannels":["dev"]},"reads":"public"}
        """
    static let health = """
        {"status":"ok"}
        """
    static let readiness = """
        {"status":"ready","checks":{"accepting":"ok"}}
        """
    static let problem = """
        {"type":"/problems/no-such-release","title":"There is no such release","status":404,\
        "detail":"mobi.favio.WidgetDemo has no release 1.2~9.","instance":"0a1b2c3d4e5f6071"}
        """

    static func page(of item: String) -> String {
        """
        {"items":[\(item)]}
        """
    }

    /// Something that looks like a digest.
    private static func digest(_ digit: Character) -> String { String(repeating: digit, count: 64) }
}
