import CellSupport
import CommandSupport
import Foundation
import ServerCommands
import Testing
import WidgetConfiguration
import WidgetTestSupport

@testable import ClusterCommands

/// The program `widgetd-cluster`, in this process.
private enum Replica {
    private static let called = CalledProgram("widgetd-cluster") { WidgetdCluster.run($0, on: $1, in: $2) }

    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try called.run(arguments, environment: environment, programs: CalledCell.programs)
    }
}

@Suite struct `The settings of replicas` {
    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try Replica.run(arguments, environment: environment)
    }

    @Test func `check prints the settings of replicas and those of every server, and no password`() throws {
        let result = try run(
            "check", "--catalog", "postgres://u@db/widgetd", "--blobs", "file:///srv/blobs", "--listen",
            "127.0.0.1:9000",
            environment: ["WIDGETD_CATALOG_PASSWORD": "a-very-secret-password"])
        #expect(result.exitCode == 0)
        #expect(result.output.contains("catalog.url = postgres://u@db/widgetd   # --catalog"))
        #expect(result.output.contains("blobs.url = file:///srv/blobs   # --blobs"))
        #expect(result.output.contains("listen = 127.0.0.1:9000   # --listen"))
        #expect(!(result.output + result.error).contains("very-secret"))
        for url in [
            "postgres://u:very-secret@db/d", "postgres://u:very-secret@@db/d", "postgres://db/d?password=very-secret",
            "postgres://db/d?sslmode=disable&p%61ssword=very-secret",
            "postgres://u:very-secret@db:5432/d?sslpassword=very-secret",
        ] {
            let result = try run("check", "--catalog", url)
            #expect(result.exitCode == 0 && !(result.output + result.error).contains("very-secret"), "\(result.output)")
        }
    }

    @Test(arguments: [
        (["--blobs", "file:///tmp/nothing"], "--catalog: a database is needed"),
        (["--catalog", "postgres://u:secret@127.0.0.1:9/d", "--blobs", "file:///tmp"], "the URL has a password"),
        (["--catalog", "postgres://u@127.0.0.1:9/d"], "--blobs: a place for archives is needed"),
        (
            ["--catalog", "postgres://u@127.0.0.1:9/d", "--blobs", "ftp://host/x"],
            "--blobs: ftp: is not a known scheme"
        ),
        (
            ["--catalog", "postgres://u@127.0.0.1:9/d", "--blobs", "file://host/x"],
            "--blobs: file: takes an absolute path"
        ),
        (
            ["--catalog", "mysql://u@127.0.0.1:9/d", "--blobs", "file:///tmp/nothing-here/x"],
            "not a URL that begins with"
        ),
    ])
    func `A place that cannot be used is named before anything is served`(arguments: [String], words: String) throws {
        let folder = try Scratch()
        var arguments = ["serve", "--listen", "127.0.0.1:0", "--data", folder.path + "/data"] + arguments
        // Nothing is left in a folder that other tests use.
        arguments = arguments.map { $0.replacing("/tmp", with: folder.path) }
        let result = try Replica.run(arguments)
        #expect(result.exitCode != 0)
        #expect(result.error.contains(words), "\(result.error)")
        #expect(!result.error.contains("secret"))
    }

    @Test func `A database that is not there is named, and the password is not`() throws {
        let folder = try Scratch()
        let result = try run(
            "serve", "--listen", "127.0.0.1:0", "--data", folder.path + "/data", "--blobs",
            "file://\(folder.path)/blobs",
            "--catalog", "postgres://u@127.0.0.1:9/d",
            environment: ["WIDGETD_CATALOG_PASSWORD": "a-very-secret-password"])
        #expect(result.exitCode == 1)
        #expect(result.error.contains("the catalog cannot be reached") && result.error.contains("port 9"))
        #expect(!result.error.contains("very-secret"))
    }

    @Test(arguments: ["--catalog postgres://u@db/d", "--blobs file:///srv/blobs", "--seed /srv/bundles"])
    func `A mirror takes no other place, and no bundles but those of its origin`(other: String) throws {
        let words = other.split(separator: " ").map(String.init)
        let mirror = ["check", "--mirror", "https://widgets.example"]
        #expect(try Replica.run(mirror).exitCode == 0)
        let result = try Replica.run(mirror + words)
        #expect(result.exitCode == 2)
        #expect(
            result.error.contains("\(words[0]): this cannot be set together with mirror.url"), "\(result.error)")
    }

    @Test func `The directory of a registry with one process is not taken for that of a replica`() throws {
        let folder = try Scratch()
        let widgetd = CalledProgram("widgetd") { Widgetd.run($0, on: $1, in: $2) }
        #expect(try widgetd.run(["token", "list", "--data", folder.path]).exitCode != 0)
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder.path + "/data/catalog.sqlite", contents: Data([1]))
        let result = try run(
            "serve", "--listen", "127.0.0.1:0", "--data", folder.path + "/data", "--blobs",
            "file://\(folder.path)/blobs",
            "--catalog", "postgres://u@127.0.0.1:9/d")
        #expect(result.error.contains("holds a registry of one process"))
    }

    @Test func `docs/scaling.md and docs/mirrors.md name every setting of this program with its variable`() throws {
        let text = try ["scaling", "mirrors"].map { name in
            try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/\(name).md", encoding: .utf8)
        }.joined()
        for setting in ClusterSettings.own {
            #expect(
                text.contains("`\(setting.path)`") && text.contains("`\(setting.environmentName)`"), "\(setting.path)")
            #expect(text.contains(setting.meaning), "\(setting.path)")
        }
    }

    /// Operators of one process pay for nothing of this.
    @Test func `widgetd links neither libpq nor what libpq needs`() throws {
        let libraries = Shell.run("ldd '\(BuiltProgram("widgetd").url.path)'").output
        #expect(libraries.contains("libc.so"))
        for name in ["libpq", "libssl", "libgssapi", "libldap", "libcurl"] { #expect(!libraries.contains(name)) }
        #expect(Shell.run("ldd '\(BuiltProgram("widgetd-cluster").url.path)'").output.contains("libpq"))
    }
}

/// A folder that is gone with its owner.
private final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "cluster-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
