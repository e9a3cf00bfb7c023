// One runner feeds the program of this machine and the engine as WebAssembly the same material, and compares bytes:
//
//   node parity.mjs --widget PROGRAM --specimen PROGRAM --engine FOLDER [--part NAME]… [--quick] [--show N]
//
// Parts: prints, taps, scripts, looks, archives, formats, expressions, dates, languages, edges, hostile, memory, live. It prints how
// many outputs each compared and how many differ, and ends with 1 if one differs that differences.txt does not list.

import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const words = process.argv.slice(2)
const option = (name, usual) => {
  const place = words.indexOf(`--${name}`)
  return place < 0 ? usual : words[place + 1]
}
const root = path.resolve(import.meta.dirname, '../..')
const program = path.resolve(option('widget', `${root}/.build/debug/widget`))
const specimen = path.resolve(option('specimen', `${root}/.build/debug/Specimen`))
const folder = path.resolve(option('engine', `${root}/.build/wasm`))
const parts = words.flatMap((word, place) => (word == '--part' ? [words[place + 1]] : []))
const isQuick = words.includes('--quick')
const shown = Number(option('show', 10))
const { EngineInstance } = await import(pathToFileURL(`${folder}/engine.mjs`))
const module = new WebAssembly.Module(fs.readFileSync(`${folder}/engine.wasm`))
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'parity-'))
const decoder = new TextDecoder()
const moment = 803678400

// The engine of this machine.

class NativeEngine {
  constructor() {
    this.child = spawn(specimen, ['engine'], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.chunks = []
    this.length = 0
    this.child.stdout.on('data', (chunk) => {
      this.chunks.push(chunk)
      this.length += chunk.length
      this.look()
    })
    this.child.stdin.on('error', () => {})
    this.child.on('exit', (code, signal) => { this.ended = signal ?? code; this.look() })
  }

  look() {
    if (!this.waiting) return
    if (this.ended !== undefined) return this.waiting.reject(new Error(`the native engine ended: ${this.ended}`))
    if (this.length < 4) return
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)]
    const size = this.chunks[0].readUInt32LE(0)
    if (this.length < 4 + size) return
    const answer = this.chunks[0].subarray(4, 4 + size)
    this.chunks = [this.chunks[0].subarray(4 + size)]
    this.length -= 4 + size
    const { resolve } = this.waiting
    this.waiting = undefined
    resolve(answer)
  }

  exchange(bytes) {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(bytes.length)
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.child.stdin.write(Buffer.concat([head, bytes]))
      this.look()
    })
  }

  end() { this.child.stdin.end() }
}

function packed(line, pieces) {
  const text = Buffer.from(JSON.stringify(line))
  const head = Buffer.alloc(8 + 4 * pieces.length)
  head.writeUInt32LE(text.length, 0)
  head.writeUInt32LE(pieces.length, 4)
  pieces.forEach((piece, place) => head.writeUInt32LE(piece.length, 8 + 4 * place))
  return Buffer.concat([head, text, ...pieces])
}

let native = new NativeEngine()
let wasm = new EngineInstance(module)
const raw = (instance, bytes) => {
  const { memory, engine_room, engine_call, engine_free } = instance.exports
  const room = engine_room(bytes.length) >>> 0
  new Uint8Array(memory.buffer, room, bytes.length).set(bytes)
  const place = engine_call(room, bytes.length) >>> 0
  engine_free(room)
  const length = new DataView(memory.buffer).getUint32(place, true)
  const answer = Buffer.from(new Uint8Array(memory.buffer, place + 4, length).slice())
  engine_free(place)
  return answer
}

// The record of differences.

const listed = new Map(fs.readFileSync(path.join(import.meta.dirname, 'differences.txt'), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#')).map((line) => line.split('\t')).map(([name, reason]) => [name, reason]))
const counts = {}
let printed = 0
let unlisted = 0
function note(part, name, left, right) {
  counts[part] ??= { compared: 0, differ: 0, traps: 0, listed: 0 }
  counts[part].compared += 1
  if (Buffer.compare(Buffer.from(left), Buffer.from(right)) == 0) return
  counts[part].differ += 1
  if (String(right).startsWith('trap:')) counts[part].traps += 1
  if (listed.has(`${part}/${name}`) || isBounded(String(left), String(right))) { counts[part].listed += 1; return }
  unlisted += 1
  if (printed++ >= shown) return
  const [one, other] = [String(left), String(right)]
  let place = 0
  while (place < one.length && one[place] == other[place]) place += 1
  const cut = (text) => JSON.stringify(text.slice(Math.max(0, place - 60), place + 100))
  console.log(`${part}/${name} differs at ${place}:\n  native ${cut(one)}\n  wasm   ${cut(other)}`)
}

/**
 * True for the difference that differences.txt explains: sentences that differ in a number alone, which is larger than files in
 * memory can be.
 */
function isBounded(left, right) {
  const bare = (text) => text.replace(/^[\s\S]{0,40}?(?=\{)/, '').replace(/\d{9,}/g, 'N')
  return left != right && bare(left) == bare(right) && (/13[34]\d{6}/.test(right) || /214748364\d/.test(right))
}

/** The same call to both, each in an engine of its own for what opens a widget. */
async function both(part, name, line, pieces = []) {
  const bytes = packed(line, pieces)
  let left
  try {
    left = await native.exchange(bytes)
  } catch (error) {
    left = Buffer.from(String(error))
    native = new NativeEngine()
  }
  let right
  try {
    if (line.call == 'open') wasm = new EngineInstance(module)
    right = raw(wasm, bytes)
  } catch (error) {
    right = Buffer.from(`trap: ${error.message}`)
    wasm = new EngineInstance(module)
  }
  note(part, name, left, right)
  return left
}

function answered(bytes) {
  const [length, count] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
  let place = 8 + 4 * count
  const answer = JSON.parse(bytes.subarray(place, place + length).toString())
  place += length
  answer.pieces = []
  for (let index = 0; index < count; index++) {
    const size = bytes.readUInt32LE(8 + 4 * index)
    answer.pieces.push(bytes.subarray(place, place + size))
    place += size
  }
  return answer
}

// Material.

function crc(bytes) {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xEDB88320 & -(sum & 1))
  }
  return ~sum >>> 0
}

/** An archive of files that are stored as they are. */
function zip(files) {
  const [locals, entries] = [[], []]
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const [text, bytes] = [Buffer.from(name), Buffer.from(content)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(text.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, text, bytes])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, text]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const info = (more = {}) => JSON.stringify({
  CFBundleIdentifier: 'com.example.Parity', CFBundleName: 'Parity', CFBundleShortVersionString: '1.0', ...more,
})
const bundle = (files, more) => zip({ 'Parity.bundle/Info.plist': plist(more), ...Object.fromEntries(
  Object.entries(files).map(([name, bytes]) => [`Parity.bundle/${name}`, bytes])) })
function plist(more = {}) {
  const members = Object.entries(JSON.parse(info(more))).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  return `<?xml version="1.0"?><plist version="1.0"><dict>${members.join('')}</dict></plist>`
}
const document = (root, more = {}) => bundle({ 'Main.widgets.json': JSON.stringify({ schema: 1, root: [root], ...more }) })

function filesBelow(folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort()
}

/** The archives of all samples, made by this machine's program. */
function samples() {
  const made = []
  const folders = fs.readdirSync(`${root}/Bundles`, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    .map((entry) => `${root}/Bundles/${entry.name}`)
  for (const folder of folders) {
    const file = `${scratch}/${path.basename(folder)}.zip`
    const built = spawnSync(program, ['build', folder, '-o', file, '-q'], { encoding: 'utf8' })
    if (fs.existsSync(file)) made.push([path.basename(folder), file])
    else if (fs.existsSync(`${folder}/Info.plist`)) {
      console.log(`not built: ${folder}: ${built.stderr}`)
    }
  }
  for (const name of ['form', 'kinds', 'people', 'broken']) {
    const file = `${scratch}/document-${name}.zip`
    const text = fs.readFileSync(`${root}/Tests/Corpus/documents/${name}.json`)
    fs.writeFileSync(file, bundle({ 'Main.widgets.json': text }))
    made.push([`document-${name}`, file])
  }
  const demo = path.resolve(root, '../shared/samples/WidgetDemo.zip')
  if (fs.existsSync(demo)) made.push(['WidgetDemo', demo])
  return made
}

/** What both programs print, with their exit codes. */
function printed2(part, name, file, options, script) {
  const all = [file, '--clock', '2026-06-20T12:00:00Z', ...options]
  const events = `${scratch}/events.json`
  if (script) {
    fs.writeFileSync(events, JSON.stringify(script))
    all.push('--events', events)
  }
  const run = spawnSync(program, ['render', ...all], { maxBuffer: 1 << 28 })
  const left = Buffer.concat([run.stdout, Buffer.from('\0'), run.stderr, Buffer.from(`\0${run.status}`)])
  let right
  try {
    const pieces = { archive: fs.readFileSync(file) }
    if (script) pieces.script = fs.readFileSync(events)
    const answer = new EngineInstance(module).call('render', { arguments: all, now: moment, media: {} }, pieces)
    right = Buffer.concat([
      answer.pieces[0], Buffer.from('\0'), answer.pieces[1], Buffer.from(`\0${answer.code}`)])
  } catch (error) {
    right = Buffer.from(`trap: ${error.message}`)
  }
  note(part, name, left, right)
  return run.stdout.toString()
}

/** The names of what can be touched on a screen, from its JSON. */
function touchable(text) {
  const names = new Set()
  const visit = (node) => {
    if (!node || typeof node != 'object') return
    if (Array.isArray(node)) return node.forEach(visit)
    if (Array.isArray(node.actions) && node.actions.some((action) => (action.name ?? action) == 'tap')) {
      names.add(node.id ?? node.name ?? node.key)
    }
    Object.values(node).forEach(visit)
  }
  try { visit(JSON.parse(text)) } catch { /* A screen that was not printed has nothing to touch. */ }
  return [...names].filter((name) => typeof name == 'string' && name)
}

// Parts.

const forms = ['text', 'json', 'html', 'frames']
const tests = {
  prints() {
    for (const [name, file] of samples()) {
      for (const form of forms) printed2('prints', `${name} ${form}`, file, ['--as', form])
      printed2('prints', `${name} explain`, file, ['--as', 'text', '--explain'])
    }
  },

  taps() {
    for (const [name, file] of samples()) {
      const first = touchable(spawnSync(program, ['render', file, '--as', 'json', '--clock', '2026-06-20T12:00:00Z'],
        { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout)
      for (const one of first.slice(0, isQuick ? 3 : 100)) {
        const second = touchable(printed2('taps', `${name} ${one}`, file, ['--as', 'json'], [{ tap: one }]))
        if (isQuick) continue
        for (const other of second.slice(0, 12)) {
          printed2('taps', `${name} ${one} ${other}`, file, ['--as', 'text'], [{ tap: one }, { tap: other }])
        }
      }
    }
  },

  looks() {
    const looks = [
      ['--viewport', '320x568@1', '--scheme', 'dark'], ['--viewport', '1366x900@3', '--dir', 'rtl'],
      ['--text-size', 'AX2'], ['--locale', 'de_AT'], ['--locale', 'ar'], ['--mode', 'compact@0,47,39,0'],
      ['--columns', '40'], ['--development'], ['--screens'], ['--viewport', 'wide'], ['--scheme', 'loud'],
      ['--text-size', 'huge'], ['--mode', 'tiny'], ['--mode', 'compact@1'], ['--locale', 'x y'], ['--columns', '1'],
    ]
    for (const [name, file] of samples()) {
      for (const look of isQuick ? looks.slice(0, 3) : looks) {
        for (const form of isQuick ? ['json'] : ['text', 'html', 'frames']) {
          if (form == 'html' && look[0] == '--screens') continue
          printed2('looks', `${name} ${form} ${look.join(' ')}`, file, ['--as', form, ...look])
        }
      }
    }
  },

  async archives() {
    for (const file of filesBelow(`${root}/Tests/Corpus/zip`)) {
      const bytes = fs.readFileSync(file)
      const name = path.relative(`${root}/Tests/Corpus/zip`, file)
      await both('archives', name, { call: 'inspect', archive: 0 }, [bytes])
      await both('archives', `${name} proof`, { call: 'prove', archive: 0 }, [bytes])
      await both('archives', `${name} render`, { call: 'render', arguments: [name], archive: 0, now: moment }, [bytes])
    }
    for (const [name, file] of samples()) {
      const bytes = fs.readFileSync(file)
      await both('archives', name, { call: 'inspect', archive: 0 }, [bytes])
      await both('archives', `${name} proof`, { call: 'prove', archive: 0 }, [bytes])
      const random = generator(7)
      for (let round = 0; round < (isQuick ? 5 : 60); round++) {
        const changed = damaged(bytes, random)
        await both('archives', `${name} damaged ${round}`, { call: 'inspect', archive: 0 }, [changed])
        await both('archives', `${name} damaged ${round} proof`, { call: 'prove', archive: 0 }, [changed])
      }
    }
  },

  async formats() {
    const places = {
      nib: 'Main.storyboardc/screen.nib', plist: 'Other.plist', models: 'Model.momd/Model.mom', catalogues: 'Assets.car',
      jpeg: 'picture.jpg', schemes: 'Main.json', json: 'data.json', drawings: 'drawing.svg', xml: 'Other.plist',
      interfaces: 'Main.storyboard',
    }
    for (const [folder, place] of Object.entries(places)) {
      const files = filesBelow(`${root}/Tests/Corpus/${folder}`)
      for (const file of files) {
        const [bytes, name] = [fs.readFileSync(file), path.relative(`${root}/Tests/Corpus`, file)]
        const random = generator(11)
        const rounds = isQuick ? 1 : Math.max(4, Math.min(40, Math.floor(4000 / files.length)))
        for (let round = 0; round <= rounds; round++) {
          const content = round ? damaged(bytes, random) : bytes
          const archive = bundle({ [place]: content, 'Main.widgets.json': '{"schema":1,"root":[{"kind":"image","payload":{"name":"a","alt":"a"}}]}' })
          await both('formats', `${name} ${round}`, { call: 'inspect', archive: 0 }, [archive])
          if (['catalogues', 'jpeg', 'schemes', 'nib', 'models'].includes(folder)) {
            await both('formats', `${name} ${round} json`,
              { call: 'render', arguments: ['x', '--as', 'json'], archive: 0, now: moment }, [archive])
          }
        }
      }
    }
  },

  async expressions() {
    const subject = {
      name: 'Ada', count: 3, big: 4294967296, list: [1, 2, 3.5, 'é', null], map: { a: { b: [1] } }, text: 'Straße 🇦🇹',
    }
    for (const file of filesBelow(`${root}/Tests/Corpus/predicates`)) {
      for (const [place, line] of fs.readFileSync(file, 'utf8').split('\n').entries()) {
        for (const text of new Set(line.split('\t'))) {
          if (!text.trim()) continue
          await both('expressions', `${path.basename(file)}:${place + 1} ${text.slice(0, 40)}`,
            { call: 'evaluate', expression: text, subject, now: moment })
        }
      }
    }
    for (const number of edges) {
      for (const text of [`${number} + 1`, `${number} * 2`, `-${number}`, `${number} / 3`, `CAST(${number}, 'NSDate')`,
        `CAST('${number}', 'NSNumber')`, `CAST(${number}, 'NSString')`, `{1,2,3}[${number}]`, `modulus:by:(${number}, 7)`,
        `${number} == ${number} + 0.5`, `'a' LIKE 'a{${number}}'`, `'aaa' MATCHES 'a{${number}}'`, `sqrt:(${number})`]) {
        await both('expressions', text, { call: 'evaluate', expression: text, subject, now: moment })
      }
    }
  },

  async dates() {
    const zones = ['Europe/Vienna', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Sao_Paulo',
      'Africa/Casablanca', 'Pacific/Apia', 'UTC'].filter((zone) => fs.existsSync(`/usr/share/zoneinfo/${zone}`))
    for (const zone of isQuick ? zones.slice(0, 2) : zones) {
      const rules = fs.readFileSync(`/usr/share/zoneinfo/${zone}`)
      for (let year = 1900; year <= 2200; year += isQuick ? 25 : 1) {
        const clock = `${year}-${String(1 + (year * 7) % 12).padStart(2, '0')}-${String(1 + (year * 3) % 28).padStart(2, '0')}T${String(year % 24).padStart(2, '0')}:59:59.5Z`
        for (const text of isQuick ? ['text'] : ['text', 'json']) {
          await both('dates', `${zone} ${clock} ${text}`, {
            call: 'render', arguments: ['x', '--as', text, '--time-zone', zone, '--clock', clock, '--explain'], archive: 0,
            zone: 1, now: moment,
          }, [dated(), rules])
        }
      }
    }
    // Patterns of dates are in schemes, which samples have.
    for (const [name, file] of samples().filter(([name]) => ['HarbourLog', 'Herbarium', 'Postcard'].includes(name))) {
      const bytes = fs.readFileSync(file)
      for (const zone of zones.slice(0, isQuick ? 1 : 4)) {
        const rules = fs.readFileSync(`/usr/share/zoneinfo/${zone}`)
        for (let year = 1900; year <= 2200; year += isQuick ? 100 : 10) {
          await both('dates', `${name} ${zone} ${year}`, {
            call: 'render', arguments: [name, '--as', 'text', '--time-zone', zone, '--clock', `${year}-03-28T00:30:00Z`],
            archive: 0, zone: 1, now: moment,
          }, [bytes, rules])
        }
      }
    }
    for (let year = 1900; year <= 2200; year++) {
      for (const text of [`CAST('${year}-02-28T23:59:59Z', 'NSDate')`, `CAST(${(year - 2001) * 31556952}, 'NSDate')`]) {
        await both('dates', text, { call: 'evaluate', expression: text, now: (year - 2001) * 31556952 })
      }
    }
  },

  async languages() {
    const tags = ['ar', 'cs', 'da', 'de', 'el', 'en', 'es', 'fi', 'fr', 'he', 'hi', 'hu', 'it', 'ja', 'ko', 'nb', 'nl', 'pl',
      'pt', 'pt_BR', 'ro', 'ru', 'sv', 'th', 'tr', 'uk', 'vi', 'zh', 'zh_Hant', 'en_GB', 'de_CH', 'xx', 'en-US', '']
    for (const [name, file] of samples()) {
      const bytes = fs.readFileSync(file)
      for (const tag of isQuick ? ['de', 'ar'] : tags) {
        for (const form of ['text', 'html']) {
          await both('languages', `${name} ${tag} ${form}`, {
            call: 'render', arguments: [name, '--as', form, '--locale', tag, '--clock', '2026-06-20T12:00:00Z'], archive: 0,
            now: moment,
          }, [bytes])
        }
      }
    }
  },

  async edges() {
    for (const number of edges) {
      const text = `${number}`
      const value = Number(number)
      const style = { width: value, height: value, padding: value, margin: value, alpha: value, cornerRadius: value }
      const bodies = [
        { kind: 'label', payload: { text, lines: value } }, { kind: 'label', payload: { text }, style },
        { kind: 'label', payload: { text }, style: { font: { size: value, weight: value } } },
        { kind: 'vstack', payload: { spacing: value }, children: [{ kind: 'label', payload: { text } }] },
        { kind: 'image', payload: { name: 'a', alt: text }, style: { width: value } },
        { kind: 'timer', payload: { date: { $: `CAST(${number}, 'NSDate')` }, style: 'countdown' } },
        { kind: 'timer', payload: { date: { $: `CAST(-${number}, 'NSDate')` }, style: 'relative' } },
        { kind: 'label', payload: { text: { $: `${number} + 1` } } },
        { kind: 'label', payload: { text: { $: `CAST(${number}, "NSDate")` } } },
        { kind: 'spacer', payload: { w: value, h: value } },
      ]
      for (const [place, body] of bodies.entries()) {
        for (const form of ['text', 'json', 'html', 'frames']) {
          await both('edges', `${number} body ${place} ${form}`,
            { call: 'render', arguments: ['x', '--as', form], archive: 0, now: moment }, [document(body)])
        }
      }
      await both('edges', `${number} schema`, { call: 'render', arguments: ['x'], archive: 0, now: moment },
        [bundle({ 'Main.widgets.json': `{"schema":${number},"root":[{"kind":"label","payload":{"text":"a"}}]}` })])
      await both('edges', `${number} clock`, { call: 'render', arguments: ['x', '--as', 'json'], archive: 0, now: Number(number) },
        [document({ kind: 'timer', payload: { date: '2001-01-02T00:00:00Z', style: 'relative' } })])
      for (const options of [['--viewport', `${number}x${number}`], ['--columns', text], ['--clock', text], ['--mode', `compact@${number},0,0,0`]]) {
        await both('edges', `${number} ${options}`, { call: 'render', arguments: ['x', ...options], archive: 0, now: moment },
          [document({ kind: 'label', payload: { text } })])
      }
      const steps = [[{ wait: Number(number) }], [{ select: 'list', row: Number(number) }], [{ select: 'list', section: Number(number), row: 0 }]]
      for (const script of steps) {
        await both('edges', `${number} ${JSON.stringify(script)}`,
          { call: 'render', arguments: ['x', '--events', 'e'], archive: 0, script: 1, now: moment },
          [document({ kind: 'label', payload: { text } }), Buffer.from(JSON.stringify(script))])
      }
      // Lengths, offsets and counts of archives and of the files in them.
      const whole = document({ kind: 'label', payload: { text } })
      for (const place of wordPlaces(whole)) {
        const changed = Buffer.from(whole)
        changed.writeUInt32LE(Number(BigInt(Math.trunc(Number(number))) & 0xFFFFFFFFn), place)
        await both('edges', `${number} archive ${place}`, { call: 'inspect', archive: 0 }, [changed])
      }
      const files = ['catalogues/all.car', 'models/small.mom', 'nib/accept', 'plist/accept', 'jpeg'].flatMap((name) => {
        const full = `${root}/Tests/Corpus/${name}`
        return fs.existsSync(full) ? (fs.statSync(full).isDirectory() ? filesBelow(full).slice(0, 3) : [full]) : []
      })
      const placed = { '.car': 'Assets.car', '.mom': 'Model.momd/Model.mom', '.nib': 'Main.storyboardc/a.nib', '.jpg': 'a.jpg', '.jpeg': 'a.jpg' }
      for (const file of files) {
        const bytes = fs.readFileSync(file)
        const name = placed[path.extname(file)] ?? 'Other.plist'
        const random = generator(Number(number) % 1000 + 1)
        for (let round = 0; round < (isQuick ? 2 : 25); round++) {
          const changed = Buffer.from(bytes)
          if (changed.length < 8) continue
          const place = Math.floor(random() * (changed.length - 4))
          const word = Number(BigInt(Math.trunc(Number(number))) & 0xFFFFFFFFn)
          if (round % 2) changed.writeUInt32LE(word, place)
          else changed.writeUInt32BE(word, place)
          await both('edges', `${number} ${path.basename(file)} ${place}`, { call: 'inspect', archive: 0 }, [bundle({ [name]: changed })])
        }
      }
    }
  },

  /** Widgets that could hang, fill or break the program that runs them: they end as they do here, and none by a trap. */
  async hostile() {
    const folder = `${scratch}/hostile`
    fs.mkdirSync(folder)
    const written = spawnSync(specimen, ['engine', folder], { encoding: 'utf8' })
    if (written.status !== 0) throw new Error(`hostile bundles cannot be written: ${written.stderr}${written.stdout}`)
    const folders = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const { name } of isQuick ? folders.filter((_, place) => place % 8 == 0) : folders) {
      const files = Object.fromEntries(filesBelow(`${folder}/${name}`)
        .map((file) => [path.relative(`${folder}/${name}`, file), fs.readFileSync(file)]))
      const hasInfo = 'Info.plist' in files
      const archive = hasInfo
        ? zip(Object.fromEntries(Object.entries(files).map(([file, bytes]) => [`Hostile.bundle/${file}`, bytes])))
        : bundle(files)
      const events = `${folder}/${name.split(' ')[0]}.events.json`
      const pieces = fs.existsSync(events) ? [archive, fs.readFileSync(events)] : [archive]
      const script = pieces.length > 1 ? { script: 1 } : {}
      for (const form of isQuick ? ['text'] : forms) {
        const options = ['x', '--as', form, ...(pieces.length > 1 ? ['--events', 'e'] : [])]
        await both('hostile', `${name} ${form}`, { call: 'render', arguments: options, archive: 0, now: moment, ...script }, pieces)
      }
    }
  },

  /** An instance that meets the end of its memory anywhere ends with a sentence, and the next call says the same. */
  async memory() {
    const archive = bundle({ 'Main.widgets.json': JSON.stringify({ schema: 1, root: [{ kind: 'label', payload: { text: 'A' } }] }) })
    const ends = new Set()
    for (let left = 0; left < 3000; left += isQuick ? 500 : 25) {
      const instance = new EngineInstance(module)
      const fill = (size) => {
        const rooms = []
        for (let room; (room = instance.exports.engine_room(size) >>> 0);) rooms.push(room)
        return rooms
      }
      for (const size of [1 << 24, 1 << 20]) fill(size)
      for (const room of fill(1 << 10).slice(0, left)) instance.exports.engine_free(room)
      const end = () => {
        try {
          instance.call('open', { now: moment }, { archive })
          instance.call('start', { now: moment })
          return instance.call('page').visible ? 'shown' : 'empty'
        } catch (error) {
          return `${error.code}: ${error.message}`
        }
      }
      const first = end()
      ends.add(first)
      const isRight = first == 'shown' || (first.startsWith('limit: ') && end() == first)
      note('memory', `${left} KB`, 'shown, or limit', isRight ? 'shown, or limit' : first)
    }
    note('memory', 'both ends are seen', '2', String(ends.size))
  },

  /** Widgets that run: pages, acts and their differences, over and over. */
  async live() {
    for (const [name, file] of samples()) {
      const bytes = fs.readFileSync(file)
      for (const contained of [false, true]) {
        const opened = answered(await both('live', `${name} open`, { call: 'open', archive: 0, now: moment, seed: 1, contained }, [bytes]))
        if (opened.fault) continue
        await both('live', `${name} start`, { call: 'start', now: moment })
        await both('live', `${name} sheets`, { call: 'sheets' })
        await both('live', `${name} page`, { call: 'page' })
        const random = generator(3)
        for (let round = 0; round < (isQuick ? 6 : 60); round++) {
          const view = answered(await both('live', `${name} ${round} snapshot`, { call: 'snapshot', as: 'json', explain: true }))
          const keys = keysOf(view.pieces[0].toString())
          const [verb, key] = keys.length ? keys[Math.floor(random() * keys.length)] : ['back', 0]
          const event = verb == 'change' ? ['input', key, random() < 0.5 ? 'é1' : 1] : [verb, key]
          await both('live', `${name} ${round} ${event}`, { call: 'act', now: moment + round, batch: 0 },
            [Buffer.from(JSON.stringify([round + 1, [event]]))])
          await both('live', `${name} ${round} changes`, { call: 'changes' })
          const { requests } = answered(await both('live', `${name} ${round} requests`, { call: 'requests' }))
          for (const request of requests ?? []) {
            await both('live', `${name} ${round} answer`, { call: 'answer', number: request.number, status: 200, body: 0, now: moment + round },
              [Buffer.from('[{"id": 1, "name": "One"}]')])
          }
          for (const call of ['unsaved', 'cache', 'wishes']) await both('live', `${name} ${round} ${call}`, { call })
          await both('live', `${name} ${round} tick`, { call: 'tick', now: moment + round + 0.5 })
        }
      }
    }
  },
}

const edges = ['2147483647', '2147483648', '2147483649', '4294967295', '4294967296', '4294967297', '9007199254740991',
  '9007199254740992', '9223372036854775807', '9223372036854775808', '-2147483648', '-2147483649', '134217728', '1e300']

/** Numbers that are the same each time. */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

function damaged(bytes, random) {
  const changed = Buffer.from(bytes)
  if (!changed.length) return changed
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
    const place = Math.floor(random() * changed.length)
    if (random() < 0.1) return changed.subarray(0, place)
    changed[place] = random() < 0.3 ? 0xFF : Math.floor(random() * 256)
  }
  return changed
}

/** The places of the words of 32 bits in the headers of an archive. */
function wordPlaces(bytes) {
  const places = []
  for (const [mark, offsets] of [['PK\x03\x04', [14, 18, 22]], ['PK\x01\x02', [16, 20, 24, 38, 42]], ['PK\x05\x06', [12, 16]]]) {
    const start = bytes.lastIndexOf(Buffer.from(mark, 'latin1'))
    for (const offset of offsets) if (start >= 0) places.push(start + offset)
  }
  return places
}

function keysOf(text) {
  const keys = []
  const visit = (node) => {
    if (!node || typeof node != 'object') return
    if (Array.isArray(node)) return node.forEach(visit)
    for (const action of Array.isArray(node.actions) ? node.actions : []) {
      const verb = action.name ?? action
      if (node.key && typeof verb == 'string') keys.push([verb, node.key])
    }
    Object.values(node).forEach(visit)
  }
  try { visit(JSON.parse(text)) } catch { /* Nothing to touch. */ }
  return keys
}

/** A widget that shows dates in every style. */
function dated() {
  return bundle({ 'Main.widgets.json': JSON.stringify({
    schema: 1,
    root: [
      { kind: 'label', payload: { text: { $: 'now()' } } },
      { kind: 'timer', payload: { date: { $: 'now()' }, style: 'relative' } },
      { kind: 'timer', payload: { date: '2001-01-02T00:00:00Z', style: 'countdown' } },
      { kind: 'timer', payload: { date: '2101-01-02T00:00:00Z', style: 'relative' } },
      { kind: 'label', payload: { text: { $: "CAST(now(), 'NSNumber')" } } },
    ],
  }) })
}

const began = performance.now()
for (const [name, test] of Object.entries(tests)) {
  if (parts.length && !parts.includes(name)) continue
  const start = performance.now()
  await test()
  const { compared, differ, traps, listed } = counts[name] ?? { compared: 0, differ: 0, traps: 0, listed: 0 }
  console.log(`${name}: ${compared} compared, ${differ} differ (${listed} listed), ${traps} traps, ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
native.end()
fs.rmSync(scratch, { recursive: true })
const all = Object.values(counts)
console.log(`${all.reduce((sum, one) => sum + one.compared, 0)} compared in ${((performance.now() - began) / 1000).toFixed(0)} s, ${unlisted} differences are not listed`)
process.exitCode = unlisted || !all.length ? 1 : 0
