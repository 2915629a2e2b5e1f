/** A text that Postgres stores as text and in JSON: without U+0000 and without halves of surrogate pairs. */
export const storableText = (text: string) => text.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd')
