/** «Демо» as paths: a server may have no fonts. */
const GLYPHS = [
  'M3 12 L5 1 H11 V12 M0.5 15 V12 H13.5 V15',
  'M1 8 H9 A4 4 0 1 0 7.6 11',
  'M1 12 V4 L5 10 L9 4 V12',
  'M5 4 A4 4 0 1 0 5.01 4',
]
const GLYPH_X = [0, 16, 28, 40]

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** The label at the lower left of a box, or in its middle, as SVG. */
export function demoLabel({ left, top, width, height }: Box, isInMiddle = false): string {
  const unit = Math.min(width, height) / (isInMiddle ? 160 : 380)
  const x = isInMiddle ? left + width / 2 - 25 * unit : left + 18 * unit
  const y = isInMiddle ? top + height / 2 - 8 * unit : top + height - 36 * unit
  const characters = GLYPHS.map((path, i) => `<path transform="translate(${GLYPH_X[i]} 0)" d="${path}"/>`).join('')
  return `<g transform="translate(${x} ${y}) scale(${unit})">
    <rect x="-8" y="-6" width="66" height="28" rx="14" fill="#000" opacity="0.35"/>
    <g fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${characters}</g>
  </g>`
}
