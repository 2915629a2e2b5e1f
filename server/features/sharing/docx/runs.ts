import type { PhrasingContent } from 'mdast'

export interface RunStyle {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
}

/** Text inside of a paragraph as WordprocessingML. */
export function runsOf(nodes: PhrasingContent[], style: RunStyle = {}): string {
  return nodes.map((node) => runOf(node, style)).join('')
}

function runOf(node: PhrasingContent, style: RunStyle): string {
  switch (node.type) {
    case 'text':
    case 'html':
      return textRun(node.value, style)
    case 'strong':
      return runsOf(node.children, { ...style, bold: true })
    case 'emphasis':
      return runsOf(node.children, { ...style, italic: true })
    case 'delete':
      return runsOf(node.children, { ...style, strike: true })
    case 'inlineCode':
      return textRun(node.value, { ...style, code: true })
    case 'break':
      return textRun('\n', style)
    case 'link':
      return runsOf(node.children, style) + address(node.url, plainText(node.children), style)
    case 'image':
      return textRun(`[${node.alt || 'картинка'}]`, style) + address(node.url, '', style)
    case 'linkReference':
      return runsOf(node.children, style)
    case 'imageReference':
      return textRun(`[${node.alt || 'картинка'}]`, style)
    case 'footnoteReference':
      return textRun(`[${node.label ?? node.identifier}]`, style)
  }
}

/** Writes the URL behind the text of a link, unless the text is the URL. */
function address(url: string, text: string, style: RunStyle): string {
  const isShown = [url, url.replace(/^(?:mailto:|https?:\/\/)/, '')].includes(text)
  return isShown || url === '' ? '' : textRun(` (${url})`, style)
}

function plainText(nodes: PhrasingContent[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'children' in node ? plainText(node.children) : ''))
    .join('')
}

export function textRun(text: string, style: RunStyle = {}): string {
  const marks = [
    style.code ? '<w:rStyle w:val="InlineCode"/>' : '',
    style.bold ? '<w:b/>' : '',
    style.italic ? '<w:i/>' : '',
    style.strike ? '<w:strike/>' : '',
  ].join('')
  const lines = text.split(/\r\n?|\n/).map((line) => (line === '' ? '' : tabbed(line)))
  return `<w:r>${marks === '' ? '' : `<w:rPr>${marks}</w:rPr>`}${lines.join('<w:br/>')}</w:r>`
}

const tabbed = (line: string) =>
  line
    .split('\t')
    .map((part) => (part === '' ? '' : `<w:t xml:space="preserve">${escapeXml(part)}</w:t>`))
    .join('<w:tab/>')

/** Removes control characters and lone surrogates, which XML cannot contain. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}
