import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A question that was typed on the sign-in page, before there was an account to send it from. */

/** A longer question stays in the browser it was typed in. */
export const MAX_PENDING_QUESTION = 4000

/** Set when an opened sign-in link has a question; its value is of use only to the owner of the address. */
export const QUESTION_COOKIE = 'question'

const Id = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))

/** The ids are chosen in the browser: whichever device sends the question, it is one message of one thread. */
export const PendingQuestion = z.strictObject({
  id: Id,
  threadId: Id,
  text: z.string().check(z.minLength(1), z.maxLength(MAX_PENDING_QUESTION)),
})
export type PendingQuestion = z.infer<typeof PendingQuestion>

export const pendingQuestionApi = {
  read: endpoint('GET', '/api/pending-question', {
    who: 'user',
    summary: 'Вопрос, с которым запросили ссылку для входа, открытую в этом браузере; null, если его нет',
    returns: z.nullable(PendingQuestion),
  }),
  forget: endpoint('DELETE', '/api/pending-question', {
    who: 'user',
    summary: 'Удалить этот вопрос с сервера: браузер его получил',
    returns: z.object({ success: z.boolean() }),
  }),
}
