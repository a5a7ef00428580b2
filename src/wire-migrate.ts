/** Migrating a route, put together. */
import { chosenWriter, type Writer, type WriterChoice } from './core/writer.ts';
import { type Forecast, forecast } from './engine/migrate/forecast.ts';
import { migrate } from './engine/migrate/migrate.ts';
import type { MigrateEvent, MigrateReport, Migration } from './engine/migrate/migration.ts';
import { greeted } from './engine/migrate/patience.ts';
import type { BridgeRoute } from './wire.ts';

export type MigrationEvent = MigrateEvent;

export type MigrationForecast = Forecast;

/** What migrating the route would do. Meant for a bridge on a copy of the state, which it writes to. Throws `SideError`. */
export async function forecastRoute(
  route: BridgeRoute,
  { samplesMax, ...options }: Omit<Migration, 'context' | 'importer'> & { readonly samplesMax: number },
): Promise<Forecast> {
  return forecast({ ...options, context: await greeted(route), importer: route.importer }, route.importer, samplesMax);
}

/** Makes an issue of every bug of the route that has none. Throws `SideError`; when it is told to stop, whatever its clock throws. */
export async function migrateRoute(
  route: BridgeRoute,
  { writer, ...options }: Omit<Migration, 'context' | 'importer'> & { readonly writer: Writer },
): Promise<MigrateReport> {
  return migrate({ ...options, context: await greeted(route), importer: writer === 'api' ? null : route.importer });
}

/** How migrating the route would make issues, by the rights of our account. Throws `SideError`. */
export async function writerOf(route: BridgeRoute): Promise<WriterChoice> {
  await greeted(route);
  const { mayImport } = await route.importer.home();
  return chosenWriter(`${route.route.owner}/${route.route.repo}`, mayImport);
}
