import ConformanceSupport
import Foundation
import Testing
import WidgetSockets
import WidgetTestSupport

/// Goal: an operator who replaces a registry that ran widgets itself learns what has become of that, and its readers do too.
/// Method: the addresses and settings of such a registry, given to a server and to `widgetd check`.
@Suite struct `A registry that ran widgets itself` {
    private static let names = ["viewings", "viewingsPerAddress", "viewingsPerCell", "cells"]
    private static let reason = "Widgets of the registry's pages run in browsers, and take nothing of the server."

    private static func file(_ text: String) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "former-\(UUID().uuidString).json5")
        try text.write(to: url, atomically: true, encoding: .utf8)
        return url
    }

    @Test func `Its addresses are gone for all who ask, with a sentence about where widgets run now`() throws {
        let server = try RunningProgram()
        let page = String(repeating: "0a", count: 16)
        for path in [
            "/live/\(page)", "/live/\(page)/events", "/live/\(page)/end", "/live/\(page)/a", "/live/\(page)/a/actions",
            "/live/\(page)/a/1.css", "/w/com.example.Clock/1.0~1/run", "/w/com.example.None/9~9/run?frame=1",
        ] {
            for (method, fields) in [
                ("GET", ""), ("POST", "Content-Length: 0\r\n"),
                ("POST", "Origin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"),
            ] {
                let body = fields.contains("json") ? "[]" : ""
                let request = "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(fields)Connection: close\r\n\r\n\(body)"
                let answer = String(
                    decoding: try Probe.exchange(Array(request.utf8), with: server.endpoint, seconds: 0), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 410 "), "\(method) \(path)")
                #expect(answer.contains("Content-Type: text/html; charset=utf-8"), "\(method) \(path)")
                #expect(answer.contains("Widgets run in your browser now, and no longer on this server."))
                #expect(answer.contains("it has Run where") && !answer.contains("<form") && !answer.contains("<script"))
            }
        }
        #expect(try server.get("/live").hasPrefix("HTTP/1.1 404 "))
        #expect(!server.log.contains("setting.removed"))
    }

    @Test func `Its settings are ignored, and the log of the start names each with its place`() throws {
        let file = try Self.file("{\n  preview: { viewings: 500,\n    cells: 'many' }\n}")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try RunningProgram(
            ["--config", file.path], environment: ["WIDGETD_PREVIEW_VIEWINGS_PER_ADDRESS": "-3"])
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        for place in [
            "\(file.path):2: preview.viewings is ignored", "\(file.path):3: preview.cells is ignored",
            "WIDGETD_PREVIEW_VIEWINGS_PER_ADDRESS: preview.viewingsPerAddress is ignored, and refused from 0.4 on.",
        ] {
            #expect(server.logs(place), "\(place)")
        }
        let lines = server.log.split(separator: "\n").filter { $0.contains("\"setting.removed\"") }
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("\"warn") && $0.contains(Self.reason) }, "\(lines)")
    }

    @Test(arguments: Self.names) func `The check names each of them, as lines and as JSON`(name: String) throws {
        let file = try Self.file("{ preview: { \(name): 1 } }")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try Program.run(["check", "--config", file.path])
        #expect(text.exitCode == 0 && text.error.isEmpty)
        let line =
            "\nsetting.removed: \(file.path):1: preview.\(name) is ignored, and refused from 0.4 on. \(Self.reason)\n"
        #expect(text.output.contains(line), "\(text.output)")
        let json = try Program.run(["check", "--json", "--config", file.path])
        let found = try #require(
            JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [String: Any]])
        let entry = try #require(found["preview.\(name)"])
        #expect(entry["source"] as? String == "\(file.path):1" && entry["value"] == nil)
        #expect((entry["removed"] as? String)?.hasSuffix(Self.reason) == true)
        let none = try Program.run(["check"]).output
        #expect(!none.contains("removed") && !none.contains("preview.\(name)"))
    }

    @Test func `Keys that no version had are refused as before, in the same group too`() throws {
        let file = try Self.file("{ preview: { viewing: 1 } }")
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try Program.run(
            ["check", "--config", file.path], environment: ["WIDGETD_PREVIEW_CELL": "1", "WIDGETD_PREVIEW_CELLS": "1"])
        #expect(result.exitCode == 2 && result.output.isEmpty)
        #expect(result.error.contains("preview.viewing"), "\(result.error)")
        #expect(result.error.contains("unknown variable WIDGETD_PREVIEW_CELL\n"))
        #expect(!result.error.contains("WIDGETD_PREVIEW_CELLS"))
    }

    @Test func `The check says how bundles are reviewed, in what bounds`() throws {
        let text = try Program.run(["check"]).output
        #expect(text.contains("\nreviews: in confined processes\n") && text.contains("filter of calls: on"))
        #expect(text.contains("  at once: 4 reviews\n") && text.contains("  together: 4 processes"))
        let json = try Program.run(["check", "--json"]).output
        #expect(json.contains("\"reviews.confinement\"") && json.contains("\"cells.processes\":{\"value\":4"))
    }
}
