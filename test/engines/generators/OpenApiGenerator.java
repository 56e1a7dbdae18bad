// What a user of the package by openapi-generator for Java writes.
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CalendarApi;
import org.openapitools.client.api.CoursesApi;
import org.openapitools.client.api.GradesApi;

public class OpenApiGenerator {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient().setBasePath(args[0]);
        var department = List.of(args[2]);
        var course = new CoursesApi(client).coursesById(args[1], null, null, null, null, null);
        var courses = new CoursesApi(client).courses(null, department, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
        var terms = new CalendarApi(client).calendar(null, null, null, null, null, null, null, null, null);
        var days = new CalendarApi(client).calendar("2026", "Fall", null, null, null, null, null, null, null);
        var grades = new GradesApi(client).gradesAggregate(null, null, null, null, department, null, null, null, null, null, null, null, null, null, null, null);
        System.out.printf("{\"course\": \"%s\", \"courses\": %d, \"terms\": %d, \"start\": \"%s\", \"average\": %s}%n",
            course.getId(), courses.size(), terms.getListCalendarInner().size(), days.getTermDays().getInstructionStart(),
            grades.getGradeDistribution().getAverageGPA());
    }
}
