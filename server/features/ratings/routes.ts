import { ratingsApi } from '#contract/ratings.ts'
import { type App, route } from '#server/http/route.ts'
import { rateAnswer, ratingsOfModel, takeRatingBack } from './ratings.ts'

export function ratingRoutes(app: App) {
  route(app, ratingsApi.rate, (ctx, { params, body }) => rateAnswer(ctx, params.id, params.messageId, body.rating))
  route(app, ratingsApi.takeBack, (ctx, { params }) => takeRatingBack(ctx, params.id, params.messageId))
  route(app, ratingsApi.ofModel, (ctx, { params }) => ratingsOfModel(ctx, params.id))
}
