import { projectsApi } from '#contract/projects.ts'
import { type App, route } from '#server/http/route.ts'
import { createAddFile, payLibraryFile, removeLibraryFile, retryLibraryFile } from '../files/library.ts'
import { exportProject } from './export.ts'
import {
  createProject,
  deleteProject,
  listProjects,
  type ProjectDeps,
  projectLibrary,
  readProject,
  updateProject,
} from './projects.ts'
import { spendingOf } from './spending.ts'

export function projectRoutes(app: App, deps: ProjectDeps) {
  const addFile = createAddFile(projectLibrary, deps)
  route(app, projectsApi.list, (ctx) => listProjects(ctx), { limit: 'lists' })
  route(app, projectsApi.create, (ctx, { body }) => createProject(ctx, deps, body), { limit: 'heavy' })
  route(app, projectsApi.get, (ctx, { params }) => readProject(ctx, params.id))
  route(app, projectsApi.update, (ctx, { params, body }) => updateProject(ctx, deps, params.id, body))
  route(app, projectsApi.delete, (ctx, { params, query }) => deleteProject(ctx, deps, params.id, query.chats))
  route(app, projectsApi.export, (ctx, { params }) => exportProject(ctx, deps.storage, params.id), { limit: 'heavy' })
  route(app, projectsApi.spending, (ctx, { params }) => spendingOf(ctx, params.id), { limit: 'lists' })
  route(
    app,
    projectsApi.addFile,
    (ctx, { params, query }, c) => addFile(ctx, params.id, c.req.raw, query.paid === '1'),
    { limit: 'uploads' },
  )
  route(app, projectsApi.removeFile, (ctx, { params }) =>
    removeLibraryFile(projectLibrary, ctx, deps.storage, params.id, params.fileId),
  )
  route(
    app,
    projectsApi.retryFile,
    (ctx, { params }) => retryLibraryFile(projectLibrary, ctx, deps, params.id, params.fileId),
    { limit: 'uploads' },
  )
  route(
    app,
    projectsApi.payFile,
    (ctx, { params }) => payLibraryFile(projectLibrary, ctx, deps, params.id, params.fileId),
    { limit: 'uploads' },
  )
}
