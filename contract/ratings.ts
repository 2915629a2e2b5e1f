import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'

export const MAX_RATING_COMMENT = 500

export const RatingReason = z.enum(['wrong', 'off_topic', 'too_long', 'refused', 'other'])
export type RatingReason = z.infer<typeof RatingReason>

export const ratingReasons: Record<RatingReason, string> = {
  wrong: 'Неверно',
  off_topic: 'Не по теме',
  too_long: 'Слишком длинно',
  refused: 'Отказ без причины',
  other: 'Другое',
}

/** A bad answer has a reason, and perhaps a comment that the owner of the service reads. */
export const Rating = z.discriminatedUnion('verdict', [
  z.strictObject({ verdict: z.literal('good') }),
  z.strictObject({
    verdict: z.literal('bad'),
    reason: RatingReason,
    comment: z._default(z.string().check(z.trim(), z.maxLength(MAX_RATING_COMMENT)), ''),
  }),
])
export type Rating = z.infer<typeof Rating>

/** How an answer model is rated: sums of a period, or of all time. */
export const RatingFigures = z.object({
  good: z.int(),
  bad: z.int(),
  /** Reasons of bad ratings, the most frequent first. */
  reasons: z.array(z.object({ reason: RatingReason, count: z.int() })),
})
export type RatingFigures = z.infer<typeof RatingFigures>

const RatingComment = z.object({
  reason: knownOr(RatingReason, 'other'),
  comment: z.string(),
  createdAt: z.iso.datetime(),
})

export const ModelRatings = z.extend(RatingFigures, {
  /** The newest ones, without their authors and without the answers. */
  comments: z.array(RatingComment),
})
export type ModelRatings = z.infer<typeof ModelRatings>

export const ratingsApi = {
  rate: endpoint('PUT', '/api/threads/:id/message/:messageId/rating', {
    who: 'user',
    summary: 'Оценить свой ответ; новая оценка заменяет прежнюю',
    body: z.strictObject({ rating: Rating }),
    returns: z.object({ rating: Rating }),
  }),
  takeBack: endpoint('DELETE', '/api/threads/:id/message/:messageId/rating', {
    who: 'user',
    summary: 'Убрать оценку ответа',
    returns: z.object({ rating: z.null() }),
  }),
  ofModel: endpoint('GET', '/api/models/:id/ratings', {
    effects: true,
    who: 'admin',
    summary: 'Оценки ответов модели за всё время: сколько, за что и последние комментарии, без авторов и текстов чатов',
    returns: ModelRatings,
  }),
}
