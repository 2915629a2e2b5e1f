/** Reads the text of an answer out of server-sent events, ours or a model's. Cheap, because hundreds run at once. */
export type StreamFormat = 'answer' | 'openai'

export function readStream(format: StreamFormat) {
  const seen = { text: '', rest: '', messageId: null as string | null, ended: false, error: '' }
  const takeBlock = format === 'answer' ? takeAnswer : takeChunk
  return {
    get text() {
      return seen.text
    },
    get rest() {
      return seen.rest
    },
    get messageId() {
      return seen.messageId
    },
    take(chunk: string) {
      const blocks = (seen.rest + chunk).split('\n\n')
      seen.rest = blocks.pop() ?? ''
      for (const block of blocks) takeBlock(block, seen)
    },
    failure: () => seen.error || (seen.ended ? null : 'the stream did not end'),
  }
}

type AnswerSoFar = { text: string; messageId: string | null; ended: boolean; error: string }

function takeAnswer(block: string, seen: AnswerSoFar) {
  const type = /^event: (\w+)/.exec(block)?.[1]
  const json = block.slice(block.indexOf('data: ') + 6)
  if (type === 'delta') seen.text += JSON.parse(json).text
  else if (type === 'start') {
    const { id, content } = JSON.parse(json).assistant
    seen.messageId = id
    seen.text = content
  } else if (type === 'error') seen.error = json
  else if (type === 'done') {
    seen.ended = true
    const { content, status } = JSON.parse(json).message
    if (content !== seen.text) seen.error = 'the message at the end is not what was streamed'
    else if (status !== 'complete') seen.error = `the answer is ${status}`
  }
}

function takeChunk(block: string, seen: AnswerSoFar) {
  if (!block.startsWith('data: ')) return
  if (block === 'data: [DONE]') seen.ended = true
  else seen.text += JSON.parse(block.slice(6)).choices[0]?.delta.content ?? ''
}
