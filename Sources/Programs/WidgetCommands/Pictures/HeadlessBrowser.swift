import JSONText
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetProcesses
import WidgetSystemCalls

/// The size of a picture, and what its reader would have set.
struct PictureShape {
    var width: Int
    var height: Int
    /// Pixels of a point.
    var scale: Int
    var isDark = false
    /// The reader's language and region, as `de_AT`; empty if unknown.
    var locale = ""

    /// The most pixels of a picture.
    static let pixelLimit = 16 << 20

    var pixels: (width: Int, height: Int) { (width * scale, height * scale) }
}

/// A Chromium of this machine that draws pages as pictures, without a window and without a network.
///
/// It is driven by the DevTools protocol over a channel, and not by its options: a window has a least width, and a
/// screen has none.
struct HeadlessBrowser {
    let path: String
    /// The longest time for a picture.
    var patience = Duration.seconds(30)

    /// The names under which systems install it.
    static let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
    /// The variable of the environment that names one.
    static let variable = "WIDGET_BROWSER"
    static let option = Option(
        "browser", value: "PATH", help: "for png: a Chromium; else \(variable) or that in PATH")

    /// The last lines of the browser that an error shows.
    private static let lineCount = 5

    /// The terminal of the program that starts it.
    private let terminal: Terminal

    init(path: String, on terminal: Terminal = .none) {
        self.path = path
        self.terminal = terminal
    }

    /// The browser that the user names, or the first in the search path.
    init(_ invocation: Invocation) throws(CommandFailure) {
        let (terminal, environment) = (invocation.terminal, invocation.terminal.environment)
        let search = ProgramSearch(path: environment["PATH"])
        let variable = environment[HeadlessBrowser.variable].flatMap { $0.isEmpty ? nil : $0 }
        if let given = invocation.value("browser") ?? variable {
            guard let path = search.path(of: given) else {
                let place = invocation.value("browser") == nil ? HeadlessBrowser.variable : "--browser"
                throw .misuse("\(place) is \(given), where no program is", hints: ["it takes the path of a Chromium"])
            }
            self.init(path: path, on: terminal)
            return
        }
        guard let path = HeadlessBrowser.names.lazy.compactMap(search.path).first else {
            throw .failed(
                "no Chromium is found, which draws pages as pictures",
                hints: [
                    "install one (Debian: `apt-get install chromium`), or name it: --browser PATH or "
                        + "\(HeadlessBrowser.variable)=PATH",
                    "`--as html -o FOLDER` needs none",
                ])
        }
        self.init(path: path, on: terminal)
    }

    /// Draws pages.
    ///
    /// - Parameters:
    ///   - pages: paths of files without links.
    ///   - folder: an empty folder for the browser's files, which its caller removes.
    ///   - signals: asks for an early end.
    ///   - take: receives the place of a page and its picture.
    func draw(
        _ pages: [String], _ shape: PictureShape, in folder: String, _ signals: EndingSignals? = nil,
        _ take: (Int, [UInt8]) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let lines = Guarded<[String]>([])
        var start = ProgramStart(path, words(folder, shape), environment: variables(folder, shape), in: folder)
        start.channel = .two
        let program = try rethrowing(as: { (error: FileError) in CommandFailure.failed("\(error)", hints: []) }) {
            () throws(FileError) in
            try SpawnedProgram(start) { _, line in
                lines.withLock { $0 = $0.suffix(HeadlessBrowser.lineCount - 1) + [line] }
            }
        }
        defer {
            program.stop()
            // Nothing of it writes into the folder afterwards.
            _ = program.wait()
        }
        signals?.perform { program.stop() }
        guard let socket = program.channel else { return }
        var channel = DevToolsChannel(socket, byteCount: 1 << 20 + 6 * shape.pixels.width * shape.pixels.height)
        for (place, page) in pages.enumerated() {
            channel.deadline = .now + patience
            let picture: [UInt8]
            do throws(BrowserFault) {
                picture = try HeadlessBrowser.picture(of: page, shape, &channel)
            } catch {
                let hasEnded = error == .ended ? program.wait(seconds: 1) : nil
                throw failure(error, hasEnded, lines.withLock { $0 })
            }
            try take(place, picture)
        }
    }

    private static func picture(
        of page: String, _ shape: PictureShape, _ channel: inout DevToolsChannel
    ) throws(BrowserFault) -> [UInt8] {
        let target = try channel.text("targetId", of: "Target.createTarget") { $0.member("url", "about:blank") }
        let session = try channel.text("sessionId", of: "Target.attachToTarget") { writer in
            writer.member("targetId", target)
            writer.member("flatten", true)
        }
        _ = try channel.ask("Page.enable", in: session)
        _ = try channel.ask("Page.setLifecycleEventsEnabled", in: session) { $0.member("enabled", true) }
        _ = try channel.ask("Emulation.setScriptExecutionDisabled", in: session) { $0.member("value", true) }
        _ = try channel.ask("Emulation.setDeviceMetricsOverride", in: session) { writer in
            writer.member("width", shape.width)
            writer.member("height", shape.height)
            writer.member("deviceScaleFactor", shape.scale)
            writer.member("mobile", false)
        }
        _ = try channel.ask("Emulation.setEmulatedMedia", in: session) { writer in
            writer.key("features")
            writer.array { writer in
                let wishes = [
                    ("prefers-color-scheme", shape.isDark ? "dark" : "light"), ("prefers-reduced-motion", "reduce"),
                ]
                for (name, value) in wishes {
                    writer.object { writer in
                        writer.member("name", name)
                        writer.member("value", value)
                    }
                }
            }
        }
        try channel.load(address(of: page), in: session)
        let text = try channel.text("data", of: "Page.captureScreenshot", in: session) { $0.member("format", "png") }
        _ = try channel.ask("Target.closeTarget") { $0.member("targetId", target) }
        guard let picture = try? Base64.decode(Array(text.utf8)) else {
            throw .unreadable("the picture is not base64")
        }
        let (width, height) = shape.pixels
        if let fault = PictureCheck.fault(of: picture, width: width, height: height) {
            throw .unreadable("of the picture, \(fault)")
        }
        return picture
    }

    private static func address(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return "file://" + parts.map { PercentEncoding.segment(String($0)) }.joined(separator: "/")
    }

    private func failure(_ fault: BrowserFault, _ end: ProgramEnd?, _ lines: [String]) -> CommandFailure {
        var hints: [String] = []
        let sentence: String
        switch fault {
        case .timeout: sentence = "\(path) has drawn nothing in \(patience.components.seconds) s"
        case .ended:
            sentence = "\(path) has drawn nothing, and " + (end.map { "\($0)" } ?? "has closed its channel")
            hints = ["it must be a Chromium that can be driven over --remote-debugging-pipe"]
        case .unreadable(let reason): sentence = "\(path) does not answer as a Chromium: \(reason)"
        case .refused(let reason):
            sentence = "\(path) cannot draw the page: \(reason)"
            hints = ["it must be able to read files in \(terminal.temporary); TMPDIR names another folder"]
        }
        return .failed(([sentence] + (fault == .ended ? lines : [])).joined(separator: "\n"), hints: hints)
    }

    // MARK: - Starting

    private func words(_ folder: String, _ shape: PictureShape) -> [String] {
        var words = [
            "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(folder)/profile", "--no-first-run",
            "--no-default-browser-check", "--hide-scrollbars", "--mute-audio", "--disable-gpu",
            "--disable-dev-shm-usage", "--disable-breakpad", "--disable-crash-reporter", "--disable-extensions",
            "--disable-sync", "--disable-component-update", "--disable-default-apps", "--font-render-hinting=none",
            // No network: nothing is looked up, and a proxy is asked for that nothing listens to.
            "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
            "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
        ]
        if !shape.locale.isEmpty {
            words.append("--lang=\(shape.locale.split(separator: "_").joined(separator: "-"))")
        }
        // Its sandbox refuses root, and its pages have no script.
        if ProcessOwner.isRoot { words.append("--no-sandbox") }
        return words + ["about:blank"]
    }

    /// The browser's own files lie in the folder, and not in the user's home.
    private func variables(_ folder: String, _ shape: PictureShape) -> [String] {
        let given = terminal.environment
        var variables = ["HOME=\(folder)", "TMPDIR=\(folder)", "TZ=UTC0"]
        variables.append("PATH=" + (given["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/bin:/bin"))
        for name in ["LANG", "LC_ALL", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"] {
            if let value = given[name] { variables.append("\(name)=\(value)") }
        }
        if !shape.locale.isEmpty { variables.append("LANGUAGE=\(shape.locale)") }
        return variables
    }
}
