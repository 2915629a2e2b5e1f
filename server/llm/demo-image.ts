import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sizeInPixels } from '#contract/image-skills.ts'
import { demoChange } from './demo-change.ts'
import { demoLabel } from './demo-label.ts'
import type { Draw } from './llm.ts'

const THINKING_MS = 400

/** Draws hills without a provider, the same for the same prompt and seed, with the label «Демо». */
export const demoDraw: Draw = async (request, signal) => {
  await pause(THINKING_MS, undefined, { signal })
  if (request.change) return demoChange({ ...request, change: request.change }, signal)
  const { prompt, size, seed } = request
  const { width, height } = sizeInPixels(size)
  const { default: sharp } = await import('sharp')
  const image = sharp(Buffer.from(landscape(width, height, dice(prompt + seed))))
  request.onPartial?.(await image.clone().blur(12).png().toBuffer())
  return { bytes: await image.png().toBuffer() }
}

type Palette = [above: string, below: string, light: string, far: string, near: string]

const palettes: [Palette, ...Palette[]] = [
  ['#1d2b64', '#f8a5a5', '#ffe3b3', '#7c5aa6', '#3b2a68'],
  ['#0b486b', '#f5b7a1', '#fff2cf', '#3b8686', '#12343f'],
  ['#2c3e73', '#ffd3a5', '#fff6e0', '#d9818f', '#5b2f58'],
  ['#134e4a', '#d9f2c4', '#fbffe8', '#5fa777', '#173f35'],
  ['#312e81', '#c4b5fd', '#fdf4ff', '#7c83db', '#1e1b4b'],
  ['#7f1d5a', '#fdba74', '#fff1d6', '#c2547d', '#3d1238'],
]

type Dice = () => number

function landscape(width: number, height: number, roll: Dice): string {
  const [above, below, light, far, near] = pick<Palette>(palettes, roll)
  const sun = {
    x: width * (0.2 + roll() * 0.6),
    y: height * (0.22 + roll() * 0.22),
    r: height * (0.06 + roll() * 0.06),
  }
  const layers = 5 + Math.floor(roll() * 2)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0.25" y2="1">
        <stop offset="0" stop-color="${above}"/><stop offset="0.75" stop-color="${below}"/>
        <stop offset="1" stop-color="${light}"/>
      </linearGradient>
      <radialGradient id="glow"><stop offset="0" stop-color="${light}" stop-opacity="0.9"/>
        <stop offset="1" stop-color="${light}" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    ${stars(width, height * 0.45, roll)}
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r * 4}" fill="url(#glow)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${light}"/>
    ${Array.from({ length: layers }, (_, i) => hill(width, height, i / (layers - 1), mix(far, near, i / (layers - 1)), roll)).join('\n')}
    ${demoLabel({ left: 0, top: 0, width, height })}
  </svg>`
}

function stars(width: number, height: number, roll: Dice): string {
  const one = () =>
    `<circle cx="${round(roll() * width)}" cy="${round(roll() * height)}" r="${round(0.8 + roll() * 1.8)}" fill="#fff" opacity="${round(0.15 + roll() * 0.5)}"/>`
  return Array.from({ length: 60 }, one).join('')
}

/** Two waves filled to the bottom; nearer hills are lower. */
function hill(width: number, height: number, nearness: number, colour: string, roll: Dice): string {
  const base = height * (0.5 + nearness * 0.36)
  const [tall, fine] = [height * (0.05 + roll() * 0.06), height * (0.012 + roll() * 0.02)]
  const [slow, quick, shift] = [1 + roll() * 1.6, 3 + roll() * 4, roll() * Math.PI * 2]
  const steps = 140
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const at = (i / steps) * Math.PI * 2
    const y = base - tall * Math.sin(slow * at + shift) - fine * Math.sin(quick * at + shift * 2)
    return `${round((i / steps) * width)} ${round(y)}`
  })
  return `<path d="M0 ${height} L${points.join(' L')} L${width} ${height} Z" fill="${colour}" opacity="${round(0.72 + nearness * 0.28)}"/>`
}

/** A pseudo-random generator of numbers from 0 to 1, seeded by a text. */
function dice(seed: string): Dice {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<T>(choices: [T, ...T[]], roll: Dice): T {
  return choices[Math.floor(roll() * choices.length)] ?? choices[0]
}

function mix(from: string, to: string, share: number): string {
  const part = (at: number) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number]
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(1)}${part(3)}${part(5)}`
}

const round = (value: number) => Math.round(value * 10) / 10
