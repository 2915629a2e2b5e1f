/** The Symbol font from 0x21 and from 0xA0; a space is a sign that it does not have. */
const SYMBOL = '!∀#∃%&∍()*+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~'
const SYMBOL_HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'

/** What forms are filled in with; other pictures of these fonts only adorn. */
const boxes: Record<string, Record<number, string>> = {
  wingdings: { 111: '☐', 112: '☐', 168: '☐', 251: '✗', 252: '✓', 253: '☒', 254: '☑', 120: '☒', 224: '→' },
  'wingdings 2': { 163: '☐', 42: '☐', 79: '✗', 80: '✓', 81: '☒', 82: '☑', 83: '☒', 84: '☒' },
}

/** A character of a picture font, which has its code in the private area or without it. */
export function symbolOf(font: string, code: string): string {
  const at = Number.parseInt(code, 16) & 0xff
  const name = font.toLowerCase()
  if (name === 'symbol') return (at < 0xa0 ? SYMBOL.charAt(at - 0x21) : SYMBOL_HIGH.charAt(at - 0xa0)) || ' '
  return boxes[name]?.[at] ?? ''
}
