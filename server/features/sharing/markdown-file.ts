import { citationsLine, dateLine, type Exported, filesLine, saidIn } from './exported.ts'

/** The thread as one Markdown text: what was said stands as it is. */
export async function* markdownFile({ thread, messages, speakerOf }: Exported): AsyncGenerator<string> {
  yield `# ${escaped(oneLine(thread.title))}${BREAK}${dateLine(thread)}`
  for await (const message of messages) {
    const parts = [
      `**${escaped(speakerOf(message))}**`,
      filesLine(message),
      closed(saidIn(message)),
      citationsLine(message),
    ]
    yield BREAK + parts.filter(Boolean).join('\n\n')
  }
  yield '\n'
}

const BREAK = '\n\n---\n\n'

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const escaped = (text: string) => text.replace(/[\\`*_[\]<>#]/g, '\\$&')

/** An answer that was stopped inside a block of code would make code of all that follows. */
function closed(text: string): string {
  const body = text.trim()
  let fence: string | null = null
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (!mark) continue
    if (fence === null) fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = null
  }
  return fence === null ? body : `${body}\n${fence}`
}
