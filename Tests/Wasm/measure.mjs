// How long the engine takes in node, and how much memory: `node measure.mjs FOLDER-OF-THE-ENGINE ARCHIVE…`. For each archive: the
// first open and page of a new instance, the same again, the median and the worst of 200 events with their changes, and the
// memory after 10,000 events.

import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { pathToFileURL } from 'node:url'

const [folder, ...archives] = process.argv.slice(2)
const { Engine } = await import(pathToFileURL(path.resolve(folder, 'engine.mjs')))
const bytes = fs.readFileSync(path.join(folder, 'engine.wasm'))
const took = (body) => {
  const start = performance.now()
  body()
  return performance.now() - start
}
const ms = (time) => time.toFixed(time < 10 ? 2 : 0).padStart(6)

const start = performance.now()
const engine = await Engine.load(bytes)
const compiled = performance.now() - start
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants
const options = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24 }
const packed = zlib.brotliCompressSync(bytes, { params: options }).length
console.log(`raw ${bytes.length}, gzip -9 ${zlib.gzipSync(bytes, { level: 9 }).length}, brotli 11 ${packed} bytes; `
  + `compiled in ${ms(compiled).trim()} ms with node ${process.version}`)
console.log('name            first open, page   again open, page   event: median, worst   memory after 10,000 events')

/** The acts that the markup of a page offers. */
function acts(html) {
  const found = html.matchAll(/\[(?:"|&quot;)(tap|select)(?:"|&quot;),(?:"|&quot;)([^"&]+)(?:"|&quot;)\]/g)
  return [...found].map((match) => [match[1], match[2]])
}

for (const archive of archives) {
  const content = new Uint8Array(fs.readFileSync(archive))
  const times = []
  let widget
  for (let round = 0; round < 2; round++) {
    times.push(took(() => {
      widget = engine.open(content, { now: 803678400, seed: 1 })
      widget.start(803678400)
    }))
    times.push(took(() => widget.page()))
  }
  const offered = acts(widget.page().html)
  const events = []
  let serial = 0
  const act = () => {
    const event = offered.length ? offered[serial % offered.length] : ['back', 0]
    serial += 1
    widget.act([serial, [serial % 2 ? event : ['back', 0]]], 803678400 + serial / 10)
    widget.requests()
    widget.unsaved()
    return widget.changes()
  }
  for (let round = 0; round < 200; round++) events.push(took(act))
  events.sort((one, other) => one - other)
  while (serial < 10000) act()
  const memory = widget.instance.exports.memory.buffer.byteLength / 1048576
  console.log(`${path.basename(archive, '.zip').padEnd(14)} ${times.slice(0, 2).map(ms).join(',')}   ${times.slice(2).map(ms).join(',')}     `
    + `${ms(events[100])},${ms(events[199])} ms      ${memory.toFixed(1)} MB`)
}
