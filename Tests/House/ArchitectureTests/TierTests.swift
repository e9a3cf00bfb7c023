import Testing

/// Goal: each check has a tier that runs it. Method: `.ci/tiers` is compared with the marks of tests, the workflow, the page for
/// contributors and the scripts under Tests. A test is in `make test` unless it is marked, so that none can be in neither tier.
@Suite struct `The tiers` {
    private static let driver = Repository.text(".ci/tiers")

    /// The parts of `make check`, as the driver lists them.
    private static let parts = Set(driver.matches(of: /\n        "(\w+)": \("/).map { String($0.1) })

    @Test func `Each part of make check has a job at night and a row for contributors`() throws {
        #expect(Self.parts.count >= 10)
        let workflow = Repository.text(".github/workflows/ci.yml")
        let jobs = try #require(workflow.firstMatch(of: /part: \[([^\]]*)\]/)).1
        #expect(Set(jobs.matches(of: /\w+/).map { String($0.0) }) == Self.parts)
        let rows = Repository.text("CONTRIBUTING.md").matches(of: /\n\| `make check PART=(\w+)` \|/)
        #expect(Set(rows.map { String($0.1) }) == Self.parts)
    }

    @Test func `Each push runs make test and makes the image, and each night has sanitizers and fuzz`() {
        let workflow = Repository.text(".github/workflows/ci.yml")
        #expect(Repository.text(".ci/run").contains("exec make test"))
        let jobs = workflow.split(separator: /\n  (?=\w+:\n    )/).map(String.init)
        for (name, command, isNightly) in [
            ("test", ".ci/run", false), ("image", "make image", false), ("check", "make check PART=", true),
            ("sanitizers", "make test SANITIZE=", true), ("fuzz", "make fuzz", true),
        ] {
            let job = jobs.first { $0.hasPrefix("\(name):") } ?? ""
            let commands = job.matches(of: /\n      - run: ([^\n]*)/).map { String($0.1) }
            #expect(
                commands.contains { $0.contains(command) && !$0.contains("||") },
                "the job \(name) does not run \(command)")
            let condition = job.matches(of: /\n    if: ([^\n]*)/).map { String($0.1) }
            let nightly = ["github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'"]
            #expect(condition == (isNightly ? nightly : []), "\(name)")
        }
        #expect(!workflow.contains("continue-on-error"))
        #expect(workflow.contains("\n  push:\n") && workflow.contains("\n  schedule:\n    - cron: "))
        // Programs of earlier revisions are built from history.
        for job in jobs where job.hasPrefix("test:") || job.hasPrefix("check:") {
            #expect(job.contains("fetch-depth: 0"))
            #expect((job.firstMatch(of: /timeout-minutes: (\d+)/).flatMap { Int($0.1) } ?? 0) >= 150)
        }
        let makefile = Repository.text("Makefile")
        #expect(makefile.contains(/\ntest:[^\n]*\n\t@[^\n]* -- \.ci\/tiers test \$\(SANITIZE\)\n/))
        #expect(makefile.contains(/\ncheck:[^\n]*\n\t@[^\n]* -- \.ci\/tiers check \$\(PART\)\n/))
    }

    /// The job that may write to the repository has none of its code.
    @Test func `A release is checked, then made, then published, each in its own job`() {
        let workflow = Repository.text(".github/workflows/release.yml")
        #expect(workflow.contains("\n  push:\n    tags: [\"v[0-9]+.[0-9]+.[0-9]+\"]\n"))
        let jobs = workflow.split(separator: /\n  (?=\w+:\n    )/).map(String.init)
        for (name, command, before) in [
            ("check", "CI=true make check", nil), ("dist", "make dist", "check"),
            ("publish", "gh release create", "dist"),
        ] as [(String, String, String?)] {
            let job = jobs.first { $0.hasPrefix("\(name):") } ?? ""
            let commands = job.matches(of: /\n      - run: ([^\n]*)/).map { String($0.1) }
            #expect(commands.contains { $0.hasPrefix(command) && !$0.contains("||") }, "\(name)")
            #expect(job.firstMatch(of: /\n    needs: (\w+)\n/).map { String($0.1) } == before, "\(name)")
            #expect(job.contains("contents: write") == (name == "publish"), "\(name)")
            #expect(job.contains("actions/checkout") == (name != "publish"), "\(name)")
        }
        #expect(!workflow.contains("continue-on-error") && workflow.contains("sha256sum --check --strict SHA256SUMS"))
    }

    @Test(arguments: ["ci.yml", "release.yml"])
    func `An action of a workflow is named by the digest of its revision`(_ file: String) {
        let uses = Repository.text(".github/workflows/\(file)").split(separator: "\n").filter { $0.contains("uses: ") }
        #expect(!uses.isEmpty)
        for use in uses { #expect(use.wholeMatch(of: /.* uses: [\w\/-]+@[0-9a-f]{40} # v[0-9.]+/) != nil, "\(use)") }
    }

    @Test func `Tests are marked for parts that make check has`() {
        let part = Repository.text("Tests/Support/WidgetTestSupport/Part.swift")
        let cases = Set(part.matches(of: /\n    case (\w+)\n/).map { String($0.1) })
        #expect(!cases.isEmpty && cases.isSubset(of: Self.parts))
        for name in cases {
            #expect(
                Self.driver.contains("part_of_tests(\"\(name)\""), "no part runs the tests that are marked \(name)")
            #expect(Repository.tests.contains { $0.text.contains(".part(.\(name))") }, "no test is marked \(name)")
        }
    }

    /// Measurements and mistakes in the sources are run by name, and oracles are asked by tests, or once for a table.
    @Test func `A script under Tests is run by a tier, a verb of the Makefile, a test or another script`() {
        let scripts = Repository.paths(under: "Tests").filter { path in
            !path.hasPrefix("Tests/Benchmarks/") && !path.hasPrefix("Tests/Oracles/") && path != "Tests/Mutation/run"
                && !path.hasSuffix(".swift")
                && Repository.text(path).hasPrefix("#!")
        }
        #expect(scripts.count > 15)
        let callers =
            [".ci/tiers", "Makefile"].map { (path: $0, text: Repository.text($0)) }
            + Repository.paths(under: "Tests").filter { !$0.hasPrefix("Tests/Benchmarks/") }
            .map { (path: $0, text: Repository.text($0)) }
            .map { (path: $0.path, text: $0.text.replacing(/(^|\n)\s*(#|\/\/)[^\n]*/, with: "\n")) }
        for script in scripts {
            let name = script.split(separator: "/").suffix(2).joined(separator: "/")
            let file = name.split(separator: "/").last.map(String.init) ?? name
            let isRun = callers.contains { caller in
                guard caller.path != script else { return false }
                // By its folder and name, or from the same folder.
                let isBeside = caller.path.split(separator: "/").dropLast() == script.split(separator: "/").dropLast()
                return caller.text.contains(name)
                    || isBeside
                        && (caller.text.contains("\"\(file)\"") || caller.text.contains("/\(file)")
                            || caller.text.contains("import \(file.prefix { $0 != "." })\n"))
            }
            #expect(isRun, "\(script) is in neither tier")
        }
    }
}
